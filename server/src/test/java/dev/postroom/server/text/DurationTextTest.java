package dev.postroom.server.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "10s,PT10S", "5m,PT5M", "2h,PT2H", "7d,PT168H", "0s,PT0S"})
    void reads_what_people_write(String text, Duration expected) {
        assertThat(DurationText.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "10", "s", "-5s", "1.5s", "5 m", "5min", "PT5M", "999999999999d", "99999999999999999999s"})
    void refuses_everything_else(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void writes_the_two_largest_units() {
        assertThat(DurationText.of(Duration.ofMillis(20))).isEqualTo("20ms");
        assertThat(DurationText.of(Duration.ofSeconds(59))).isEqualTo("59s");
        assertThat(DurationText.of(Duration.ofSeconds(61))).isEqualTo("1m 1s");
        assertThat(DurationText.of(Duration.ofMinutes(125))).isEqualTo("2h 5m");
        assertThat(DurationText.of(Duration.ofHours(49))).isEqualTo("2d 1h");
        assertThat(DurationText.of(Duration.ofHours(-2))).isEqualTo("-2h");
    }
}
