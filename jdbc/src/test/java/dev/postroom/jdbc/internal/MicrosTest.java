package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class MicrosTest {
    @Test
    void durations_beyond_all_calendars_are_cut_and_do_not_overflow() {
        long centuries = Micros.of(Duration.ofDays(100_000));
        assertThat(Micros.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(centuries);
        assertThat(Micros.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(-centuries);
    }
}
