package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tables say now, asked at most once in a while, whoever wants to know: pages, probes and gauges together cost
 * the database one reading a second. Who comes while one is being taken waits for it. Thread-safe.
 */
public final class Readings {
    public static final Duration FRESH_FOR = Duration.ofSeconds(1);

    /** Groups of tenants whose readings are kept; more than users have, and not without end where claims name them. */
    private static final int MOST_GROUPS = 200;

    private final OperationsStore store;
    private final Tenants tenants;
    private final long freshNanos;
    private final Map<Tenants, Readings> groups = new LinkedHashMap<>();
    private @Nullable Reading latest;
    private @Nullable PostroomException failure;
    private long takenAt;

    public Readings(OperationsStore store) {
        this(store, FRESH_FOR);
    }

    public Readings(OperationsStore store, Duration freshFor) {
        this(store, Tenants.ALL, freshFor.toNanos());
    }

    private Readings(OperationsStore store, Tenants tenants, long freshNanos) {
        this.store = store;
        this.tenants = tenants;
        this.freshNanos = freshNanos;
    }

    /** What those see who are bound to these tenants: their own numbers, and of relays only that they are there. */
    public Readings within(Tenants bound) {
        if (bound.equals(tenants)) {
            return this;
        }
        synchronized (groups) {
            if (groups.size() >= MOST_GROUPS && !groups.containsKey(bound)) {
                groups.remove(groups.keySet().iterator().next());
            }
            return groups.computeIfAbsent(bound, group -> new Readings(store, group, freshNanos));
        }
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
            latest = tenants.areAll() ? ofAll() : ofTenants();
            failure = null;
        } catch (PostroomException e) {
            failure = e;
        }
        takenAt = System.nanoTime();
    }

    private Reading ofAll() {
        List<NodeItem> nodes = store.nodes();
        return new Reading(store.stats().withRates(nodes), nodes, store.lanes());
    }

    private Reading ofTenants() {
        List<NodeItem> nodes = store.nodes().stream().map(NodeItem::forTenants).toList();
        return new Reading(store.stats(tenants), nodes, List.of());
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
