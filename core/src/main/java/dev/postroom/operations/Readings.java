package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the tables say now, asked at most once in a while, whoever wants to know: pages, probes and gauges together cost
 * the database one reading a second. Who comes while one is being taken waits for it. Thread-safe.
 */
public final class Readings {
    public static final Duration FRESH_FOR = Duration.ofSeconds(1);

    private final OperationsStore store;
    private final long freshNanos;
    private @Nullable Reading latest;
    private @Nullable PostroomException failure;
    private long takenAt;

    public Readings(OperationsStore store) {
        this(store, FRESH_FOR);
    }

    public Readings(OperationsStore store, Duration freshFor) {
        this.store = store;
        this.freshNanos = freshFor.toNanos();
    }

    /** What one look at the tables found. */
    public record Reading(Stats stats, List<NodeItem> nodes, List<LaneItem> lanes) {
        public Health health(HealthThresholds thresholds) {
            return Health.of(new Health.Facts(stats, nodes, lanes), thresholds);
        }
    }

    /** The latest, or a new one. A database that did not answer is not asked again before the time is over, either. */
    public synchronized Reading current() {
        boolean fresh = (latest != null || failure != null) && System.nanoTime() - takenAt < freshNanos;
        if (!fresh) {
            take();
        }
        if (failure != null) {
            throw failure;
        }
        if (latest == null) {
            throw new IllegalStateException("a reading is there, or why there is none");
        }
        return latest;
    }

    private void take() {
        try {
            List<NodeItem> nodes = store.nodes();
            latest = new Reading(store.stats().withRates(nodes), nodes, store.lanes());
            failure = null;
        } catch (PostroomException e) {
            failure = e;
        }
        takenAt = System.nanoTime();
    }

    /** Never throws: a database that cannot be asked is a reason. */
    public Health health(HealthThresholds thresholds) {
        try {
            return current().health(thresholds);
        } catch (PostroomException e) {
            return Health.withoutDatabase(String.valueOf(e.getMessage()));
        }
    }
}
