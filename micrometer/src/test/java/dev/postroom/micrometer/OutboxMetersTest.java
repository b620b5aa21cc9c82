package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.operations.Gauges;
import dev.postroom.operations.Stats;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every number of the database reaches the gauge that is meant for it: no two are the same, and none is zero. */
@Tag("R50")
class OutboxMetersTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicLong nanos = new AtomicLong();
    private volatile Supplier<Gauges> database = () -> gauges(NOW.plusSeconds(61), NOW.plusSeconds(3_671));
    private final Snapshots snapshots = new Snapshots(
            () -> database.get(),
            new Freshness(INTERVAL, Duration.ofSeconds(30)),
            new DatabaseClock(InstantSource.fixed(NOW.minusSeconds(13))),
            nanos::get);

    private static Gauges gauges(Instant nextDue, Instant latestDue) {
        return new Gauges(
                NOW, new Stats(101, true, 102, 3, 103, 104, 105, 106, 107.5, 108, 0.9, nextDue, latestDue), 7);
    }

    @BeforeEach
    void register() {
        new OutboxMeters(new Meters(registry, Tags.empty()), snapshots).register();
    }

    @AfterEach
    void close() {
        snapshots.close();
    }

    @Test
    void each_gauge_shows_its_own_number() {
        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("postroom_backlog_messages")).isEqualTo(101);
        assertThat(scrape.value("postroom_scheduled_messages")).isEqualTo(102);
        assertThat(scrape.value("postroom_retrying_messages")).isEqualTo(104);
        assertThat(scrape.value("postroom_dead_messages")).isEqualTo(105);
        assertThat(scrape.value("postroom_oldest_pending_seconds")).isEqualTo(107.5);
        assertThat(scrape.value("postroom_blocked_streams")).isEqualTo(3);
        assertThat(scrape.value("postroom_poison_candidates")).isEqualTo(7);
        assertThat(scrape.value("postroom_next_due_seconds")).isEqualTo(61);
        assertThat(scrape.value("postroom_latest_due_seconds")).isEqualTo(3_671);
    }

    @Test
    void nothing_scheduled_is_due_at_no_time() {
        database = () -> gauges(null, null);
        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("postroom_next_due_seconds")).isNaN();
        assertThat(scrape.value("postroom_latest_due_seconds")).isNaN();
    }

    @Test
    void database_that_stops_answering_is_seen_by_age_and_failures_and_then_by_numbers_that_are_gone() {
        Scrape.of(registry);
        assertThat(Scrape.of(registry).value("postroom_clock_offset_seconds")).isEqualTo(13);
        assertThat(Scrape.of(registry).value("postroom_snapshot_failures_total"))
                .isZero();
        database = () -> {
            throw new IllegalStateException("gone");
        };
        for (int asked = 1; asked <= 2; asked++) {
            nanos.addAndGet(INTERVAL.toNanos());
            Scrape scrape = Scrape.of(registry);
            assertThat(scrape.value("postroom_snapshot_age_seconds")).isEqualTo(asked * 10);
            assertThat(scrape.value("postroom_backlog_messages")).isEqualTo(101);
            assertThat(Scrape.of(registry).value("postroom_snapshot_failures_total"))
                    .isEqualTo(asked);
        }
        nanos.addAndGet(INTERVAL.multipliedBy(Freshness.STALE_INTERVALS).toNanos());
        assertThat(Scrape.of(registry).value("postroom_backlog_messages")).isNaN();
        assertThat(Scrape.of(registry).value("postroom_poison_candidates")).isNaN();
    }

    @Test
    void failures_are_still_counted_after_a_garbage_collection() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return garbage.refersTo(null);
        });
        database = () -> {
            throw new IllegalStateException("gone");
        };
        Scrape.of(registry);
        assertThat(Scrape.of(registry).value("postroom_snapshot_failures_total"))
                .isOne();
    }
}
