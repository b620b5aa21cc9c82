package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.relay.RelayView;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay tells its listener is counted where it belongs, with exact values; no relay and no database are needed. */
@Tag("R50")
class RelayMetersTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RelayMeters relay =
            new RelayMeters(new Meters(registry, Tags.empty()), new MessageTags(0, 0), InstantSource.fixed(NOW));

    private static StoredMessage message(RowState state, int attempts, Duration age, @Nullable Instant due) {
        return new StoredMessage(
                new RowKey(1, 1, new UUID(0, 1)),
                new Stream("", "orders", null),
                new Content(null, "text/plain", null, Map.of(), new byte[0], null),
                new StoredMessage.Progress(state, attempts, 0, 0, false, null, 1),
                NOW.minus(age),
                due,
                null);
    }

    private double value(String series) {
        return Scrape.of(registry).value(series);
    }

    private double at(String destination, String metric) {
        return value(metric + "{destination=\"" + destination + "\"}");
    }

    private double upTo(String bound, String metric) {
        return value(metric + "_bucket{destination=\"out\",le=\"" + bound + "\"}");
    }

    @Test
    void latency_is_the_age_by_the_clock_of_the_database() {
        relay.delivered(message(RowState.READY, 0, Duration.ofSeconds(90), null), "out");
        relay.delivered(message(RowState.READY, 0, Duration.ofMillis(40), null), "out");
        relay.delivered(message(RowState.READY, 0, Duration.ofSeconds(-2), null), "out");
        assertThat(at("out", "postroom_delivery_seconds_count")).isEqualTo(3);
        assertThat(at("out", "postroom_delivery_seconds_sum")).isEqualTo(90.04);
        assertThat(upTo("0.005", "postroom_delivery_seconds"))
                .as("from the future")
                .isEqualTo(1);
        assertThat(upTo("0.05", "postroom_delivery_seconds")).isEqualTo(2);
        assertThat(upTo("60.0", "postroom_delivery_seconds")).isEqualTo(2);
        assertThat(upTo("300.0", "postroom_delivery_seconds")).isEqualTo(3);
    }

    @Test
    void latency_of_a_delayed_message_begins_when_it_is_due_and_that_of_a_retried_one_when_it_was_written() {
        Instant due = NOW.minusSeconds(4);
        relay.delivered(message(RowState.DELAYED, 0, Duration.ofDays(2), due), "delayed");
        relay.delivered(message(RowState.WAITING, 1, Duration.ofMinutes(3), due), "retried");
        relay.delivered(
                message(RowState.DELAYED, 0, Duration.ofSeconds(5), Instant.EPOCH), "due before it was written");
        assertThat(at("due before it was written", "postroom_delivery_seconds_sum"))
                .isEqualTo(5);
        assertThat(at("delayed", "postroom_delivery_seconds_sum")).isEqualTo(4);
        assertThat(at("retried", "postroom_delivery_seconds_sum")).isEqualTo(180);
    }

    @Test
    void attempts_are_those_that_failed_and_the_one_that_did_not() {
        for (int failed : new int[] {0, 0, 1, 4}) {
            relay.delivered(message(RowState.READY, failed, Duration.ZERO, null), "out");
        }
        assertThat(at("out", "postroom_delivery_attempts_sum")).isEqualTo(1 + 1 + 2 + 5);
        assertThat(upTo("1.0", "postroom_delivery_attempts")).isEqualTo(2);
        assertThat(upTo("2.0", "postroom_delivery_attempts")).isEqualTo(3);
        assertThat(upTo("3.0", "postroom_delivery_attempts")).isEqualTo(3);
        assertThat(upTo("5.0", "postroom_delivery_attempts")).isEqualTo(4);
    }

    @Test
    void every_reason_of_a_failure_has_its_own_counter_and_dead_letters_have_theirs() {
        StoredMessage message = message(RowState.READY, 0, Duration.ZERO, null);
        List<FailureReason> reasons = List.of(FailureReason.values());
        for (int i = 0; i < reasons.size(); i++) {
            for (int again = 0; again < 2 + i; again++) {
                relay.failed(message, "out", reasons.get(i), "no", again, again == 0 ? 0 : 5_000);
            }
            relay.failed(message, "out", reasons.get(i), "no", 9, -1);
            relay.failed(message, null, reasons.get(i), "no", 9, -1);
        }
        for (int i = 0; i < reasons.size(); i++) {
            String tags = "{destination=\"out\",reason=\"" + reasons.get(i) + "\"}";
            assertThat(value("postroom_failed_total" + tags)).isEqualTo(3 + i);
            assertThat(value("postroom_dead_letters_total" + tags)).isEqualTo(1);
            assertThat(value("postroom_dead_letters_total" + tags.replace("out", "none")))
                    .as("before it had a destination")
                    .isEqualTo(1);
        }
    }

    @Test
    void what_the_desks_do_is_counted_and_timed() {
        relay.read(7, 30_000_000);
        relay.read(0, 2_000_000);
        relay.settled(11, 600_000_000);
        relay.settled(12, 100_000_000);
        relay.settled(0, 0);
        assertThat(value("postroom_read_seconds_count")).isEqualTo(2);
        assertThat(value("postroom_read_seconds_sum")).isEqualTo(0.032);
        assertThat(value("postroom_read_seconds_bucket{le=\"0.025\"}")).isEqualTo(1);
        assertThat(value("postroom_read_batch_messages_count"))
                .as("reads that brought something")
                .isEqualTo(1);
        assertThat(value("postroom_read_batch_messages_sum")).isEqualTo(7);
        assertThat(value("postroom_settle_seconds_count")).isEqualTo(3);
        assertThat(value("postroom_settle_seconds_sum")).isEqualTo(0.7);
        assertThat(value("postroom_settle_batch_messages_count")).isEqualTo(2);
        assertThat(value("postroom_settle_batch_messages_sum")).isEqualTo(23);
    }

    @Test
    void duplicates_overtaken_outcomes_and_errors_of_the_database_are_counted() {
        relay.duplicates(3);
        relay.duplicates(2);
        relay.overtaken(4);
        for (int i = 0; i < 6; i++) {
            relay.databaseTrouble(i < 1 ? "keeper" : i < 3 ? "reader" : "settler", "connection reset");
        }
        assertThat(value("postroom_duplicates_total")).isEqualTo(5);
        assertThat(value("postroom_overtaken_total")).isEqualTo(4);
        assertThat(value("postroom_database_errors_total{desk=\"keeper\"}")).isEqualTo(1);
        assertThat(value("postroom_database_errors_total{desk=\"reader\"}")).isEqualTo(2);
        assertThat(value("postroom_database_errors_total{desk=\"settler\"}")).isEqualTo(3);
    }

    @Test
    void throughput_and_failure_ratio_are_of_the_last_minute() {
        StoredMessage message = message(RowState.READY, 0, Duration.ZERO, null);
        for (int i = 0; i < 240; i++) {
            relay.delivered(message, "out");
            if (i % 3 == 0) {
                relay.failed(message, "out", FailureReason.TIMEOUT, "no", 1, 5_000);
            }
        }
        assertThat(value("postroom_throughput_per_second")).isBetween(240.0 / RollingWindow.SECONDS, 240.0);
        assertThat(value("postroom_failure_ratio")).isEqualTo(0.25);
    }

    @Test
    void lanes_and_what_is_held_are_gone_when_the_relay_ends_or_begins_anew() {
        List<Runnable> ends = List.of(relay::ended, () -> relay.began(new View()));
        for (Runnable end : ends) {
            relay.began(new View());
            relay.lanes(17, "taken");
            relay.breaker("out", null, null, true, "down");
            relay.breaker("other", "a", null, true, "unknown");
            relay.breaker("other", "b", null, true, "unknown");
            relay.breaker("other", "c", null, true, "unknown");
            relay.breaker("other", "c", null, false, "known");
            relay.unrouted("nowhere", true);
            relay.unrouted("nowhere.else", true);
            relay.unrouted("given.back", true);
            relay.unrouted("given.back", false);
            assertThat(value("postroom_lanes_owned")).isEqualTo(17);
            assertThat(at("out", "postroom_breaker_open")).isEqualTo(1);
            assertThat(at("out", "postroom_held_topics")).isZero();
            assertThat(at("other", "postroom_breaker_open")).isZero();
            assertThat(at("other", "postroom_held_topics")).isEqualTo(2);
            assertThat(at("none", "postroom_held_topics")).isEqualTo(2);
            assertThat(at("out", "postroom_in_flight_messages")).isEqualTo(3);
            assertThat(at("other", "postroom_in_flight_messages")).isEqualTo(5);
            end.run();
            assertThat(value("postroom_lanes_owned")).isZero();
            assertThat(at("out", "postroom_breaker_open")).isZero();
            assertThat(at("other", "postroom_held_topics")).isZero();
            assertThat(at("none", "postroom_held_topics")).isZero();
        }
        relay.ended();
        assertThat(at("other", "postroom_in_flight_messages")).isZero();
    }

    private static final class View implements RelayView {
        @Override
        public String name() {
            return "relay";
        }

        @Override
        public List<String> destinations() {
            return List.of("out", "other");
        }

        @Override
        public int underWay(String destination) {
            return destination.length();
        }
    }
}
