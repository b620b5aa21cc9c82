package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R50")
class PulseTest {
    private static final long START = 1_700_000_000_000L;

    private final Pulse pulse = new Pulse();

    private static Moment at(long millis) {
        return new Moment(Duration.ofMillis(millis).toNanos(), START + millis);
    }

    private static StoredMessage written(long millis, RowState state, Long dueMillis) {
        return new StoredMessage(
                new RowKey(0, 1, UUID.randomUUID()),
                new Stream("", "t", null),
                new Content(null, "text/plain", null, Map.of(), new byte[0], null),
                new StoredMessage.Progress(state, 0, 0, 0, false, null, 0),
                Instant.ofEpochMilli(START + millis),
                dueMillis == null ? null : Instant.ofEpochMilli(START + dueMillis),
                null);
    }

    @Test
    void tells_percentiles_of_the_last_minute() {
        for (int i = 1; i <= 100; i++) {
            pulse.delivered(at(1_000), written(1_000 - i, RowState.READY, null));
        }
        pulse.failed(at(1_000));
        assertThat(pulse.json(at(2_000)))
                .startsWith("\"delivered\":100,\"failed\":1,\"minute\":{\"delivered\":100,\"failed\":1,")
                .contains("\"p50Millis\":49.5,\"p95Millis\":91.5,\"p99Millis\":99.5");
    }

    @Test
    void forgets_what_is_older_than_a_minute_but_not_the_total() {
        pulse.delivered(at(0), written(-5, RowState.READY, null));
        assertThat(pulse.json(at(61_000)))
                .startsWith("\"delivered\":1,\"failed\":0,\"minute\":{\"delivered\":0,\"failed\":0,\"p50Millis\":null");
    }

    @Test
    void a_delayed_message_has_waited_since_it_was_due() {
        pulse.delivered(at(3_600_000), written(0, RowState.DELAYED, 3_599_996L));
        assertThat(pulse.json(at(3_600_000))).contains("\"p50Millis\":4.0");
    }

    @Test
    void a_clock_that_is_behind_the_database_makes_no_latency_negative() {
        pulse.delivered(at(0), written(500, RowState.READY, null));
        pulse.delivered(at(10), written(503, RowState.READY, null));
        assertThat(pulse.json(at(10))).contains("\"p50Millis\":0.0,\"p95Millis\":7.0");
    }

    @Test
    @Tag("R60")
    void a_message_from_the_end_of_time_does_not_spoil_the_latency_of_others() {
        pulse.delivered(at(0), written(Duration.ofDays(2_900_000).toMillis(), RowState.READY, null));
        pulse.delivered(at(10), written(6, RowState.READY, null));
        assertThat(pulse.json(at(10))).startsWith("\"delivered\":2").contains("\"p50Millis\":4.0,\"p95Millis\":4.0");
    }

    @Test
    void classes_are_at_most_an_eighth_wide_and_in_order() {
        int before = -1;
        for (long millis = 0; millis < 100_000; millis++) {
            int latencyClass = Pulse.classOf(millis);
            assertThat(latencyClass).isBetween(before, before + 1);
            assertThat(Pulse.millisOf(latencyClass)).isBetween(millis * 0.87 - 1, millis * 1.14 + 1);
            before = latencyClass;
        }
        assertThat(Pulse.classOf(Long.MAX_VALUE)).isEqualTo(Pulse.classOf(Long.MAX_VALUE - 1));
    }
}
