package dev.postroom.transport.cloudevents;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R56")
class EventTimeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2026-02-03T04:05:06Z",
                "2026-02-03T04:05:06.700Z",
                "2026-02-03T04:05:06.000001Z",
                "2026-02-03T04:05:06.123456789Z",
                "1969-12-31T23:59:59.999Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void time_is_written_as_the_standard_has_it(String text) {
        assertThat(new EventTime().text(Instant.parse(text))).isEqualTo(text);
    }

    @Test
    void any_time_is_written_as_java_writes_it_whatever_was_written_before() {
        Random random = new Random(7);
        EventTime time = new EventTime();
        for (int i = 0; i < 10_000; i++) {
            long nanos = random.nextBoolean() ? random.nextInt(1_000_000) * 1_000L : random.nextInt(1_000_000_000);
            Instant instant = Instant.ofEpochSecond(1_760_000_000L + random.nextInt(3), nanos);
            assertThat(time.text(instant)).isEqualTo(instant.toString());
        }
    }
}
