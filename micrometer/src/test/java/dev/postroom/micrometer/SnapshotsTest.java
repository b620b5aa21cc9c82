package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.operations.Gauges;
import dev.postroom.operations.Stats;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R50")
class SnapshotsTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final DatabaseClock clock = new DatabaseClock(InstantSource.fixed(Instant.EPOCH));
    private final CountDownLatch release = new CountDownLatch(1);
    private volatile Supplier<Gauges> database = () -> gauges(1);
    /** Waits as long as it takes, so that a busy machine makes no difference. */
    private final Snapshots snapshots = snapshots(Duration.ofSeconds(30));

    private Snapshots snapshots(Duration patience) {
        return new Snapshots(
                () -> {
                    asked.incrementAndGet();
                    return database.get();
                },
                new Freshness(INTERVAL, patience),
                clock,
                nanos::get);
    }

    @AfterEach
    void close() {
        release.countDown();
        snapshots.close();
    }

    private static Gauges gauges(long backlog) {
        return gauges(backlog, Instant.EPOCH);
    }

    private static Gauges gauges(long backlog, Instant at) {
        return new Gauges(at, new Stats(backlog, true, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null), 0);
    }

    private Gauges slow() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return gauges(2);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private long backlog() {
        return backlog(snapshots);
    }

    private static long backlog(Snapshots snapshots) {
        Gauges gauges = snapshots.current();
        return gauges == null ? -1 : gauges.stats().backlog();
    }

    @Test
    void one_question_serves_all_gauges_until_the_interval_is_over() {
        for (int i = 0; i < 20; i++) {
            assertThat(backlog()).isEqualTo(1);
        }
        assertThat(asked).hasValue(1);
        pass(INTERVAL);
        assertThat(backlog()).isEqualTo(1);
        assertThat(asked).hasValue(2);
    }

    @Test
    void nobody_waits_for_a_slow_database_which_is_asked_once_meanwhile() {
        try (Snapshots hasty = snapshots(Duration.ofMillis(1))) {
            await().atMost(LONG).until(() -> backlog(hasty) == 1);
            assertThat(asked).hasValue(1);
            database = this::slow;
            pass(INTERVAL);
            for (int i = 0; i < 5; i++) {
                assertThat(backlog(hasty)).as("the last answer").isEqualTo(1);
                pass(INTERVAL);
            }
            release.countDown();
            await().atMost(LONG).until(() -> backlog(hasty) == 2);
            assertThat(asked).hasValueLessThanOrEqualTo(3);
        }
    }

    @Test
    void answer_that_is_too_old_is_none() {
        assertThat(backlog()).isEqualTo(1);
        database = () -> {
            throw new IllegalStateException("gone");
        };
        pass(INTERVAL.multipliedBy(Freshness.STALE_INTERVALS));
        assertThat(backlog()).isEqualTo(1);
        assertThat(snapshots.failures()).isEqualTo(1);
        assertThat(snapshots.ageSeconds()).isEqualTo(60);
        pass(Duration.ofSeconds(1));
        assertThat(backlog()).isEqualTo(-1);
        assertThat(asked).as("no more often than before").hasValue(2);
        database = () -> gauges(3);
        pass(INTERVAL);
        assertThat(backlog()).isEqualTo(3);
    }

    @Test
    void answer_is_as_old_as_its_question() {
        database = () -> {
            pass(Duration.ofSeconds(3));
            return gauges(1);
        };
        assertThat(backlog()).isEqualTo(1);
        assertThat(snapshots.ageSeconds()).isEqualTo(3);
    }

    @Test
    void difference_of_the_clocks_is_known_from_the_answer() {
        assertThat(snapshots.clockOffsetSeconds()).isNaN();
        database = () -> gauges(1, Instant.EPOCH.plusSeconds(7));
        backlog();
        assertThat(snapshots.clockOffsetSeconds()).isEqualTo(7);
        assertThat(clock.millis()).as("the database's time").isEqualTo(7_000);
        clock.compare(Instant.EPOCH, Instant.EPOCH.minusSeconds(3), Instant.EPOCH.plusSeconds(1));
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH.minusSeconds(3));
        clock.compare(Instant.EPOCH, Instant.EPOCH.plusMillis(500), Instant.EPOCH.plusSeconds(1));
        assertThat(clock.millis()).as("the question took that long").isZero();
    }

    @Test
    void closed_ones_ask_nothing_more() {
        backlog();
        snapshots.close();
        pass(INTERVAL);
        assertThat(backlog()).isEqualTo(1);
        assertThat(asked).hasValue(1);
    }
}
