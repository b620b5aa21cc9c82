package dev.postroom.micrometer;

import dev.postroom.PostroomException;
import dev.postroom.operations.OperationsStore;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.Store;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one outbox and of one relay for it. Keep it as long as they are to be seen; {@link #close} removes them.
 * Thread-safe.
 *
 * <pre>{@code
 * PostroomMetrics metrics = PostroomMetrics.on(meterRegistry);
 * metrics.watch(outbox.store()); // backlog, oldest message, dead letters, blocked streams, …
 * Relay.on(dataSource).deliverTo(transport).listener(metrics.relayListener()).start(); // published, failed, latency, …
 * }</pre>
 *
 * <p>Two outboxes or two relays in one registry need {@link Builder#tags different tags}. docs/metrics.md names every meter.
 */
public final class PostroomMetrics implements AutoCloseable {
    private final Builder settings;
    private final Meters meters;
    private final DatabaseClock clock = new DatabaseClock(InstantSource.system());
    private @Nullable RelayMeters relay;
    private @Nullable Snapshots snapshots;

    private PostroomMetrics(Builder settings) {
        this.settings = settings;
        this.meters = new Meters(settings.registry, settings.tags);
    }

    /** Metrics with default settings; nothing is registered before there is something to show. */
    public static PostroomMetrics on(MeterRegistry registry) {
        return configure(registry).build();
    }

    /** Metrics with settings of their own. */
    public static Builder configure(MeterRegistry registry) {
        return new Builder(registry);
    }

    /** What to give to {@link dev.postroom.relay.Relay.Builder#listener}; for one relay at a time. */
    public synchronized RelayListener relayListener() {
        if (relay == null) {
            relay = new RelayMeters(meters, new MessageTags(settings.mostTopics, settings.mostTenants), clock);
        }
        return relay;
    }

    /** Shows how the outbox stands; as {@link #watch(OperationsStore)}. */
    public void watch(Store store) {
        watch(store.operations());
    }

    /** Shows how the outbox stands, asked in the database at most once per interval and only when somebody looks. */
    public synchronized void watch(OperationsStore operations) {
        if (snapshots != null) {
            throw new PostroomException("these metrics watch an outbox already: make others, with other tags");
        }
        int poisonAttempts = settings.poisonAttempts;
        snapshots = new Snapshots(() -> operations.gauges(poisonAttempts), Freshness.within(settings.interval), clock);
        new OutboxMeters(meters, snapshots).register();
    }

    /** Removes the meters from the registry, and asks the database nothing more. */
    @Override
    public synchronized void close() {
        if (snapshots != null) {
            snapshots.close();
        }
        meters.close();
    }

    /** Settings of metrics; {@link #build()} makes them. For one thread. */
    public static final class Builder {
        private static final int MOST_NAMES = 1_000;

        private final MeterRegistry registry;
        private Tags tags = Tags.empty();
        private int mostTopics;
        private int mostTenants;
        private int poisonAttempts = 5;
        private Duration interval = Duration.ofSeconds(10);

        private Builder(MeterRegistry registry) {
            this.registry = registry;
        }

        /** Tags of every meter, such as {@code outbox=shop} where there are several. */
        public Builder tags(Iterable<Tag> more) {
            tags = tags.and(more);
            return this;
        }

        /** Counters tell topics apart, the first so many; the others are {@code other}. They do not by default. */
        public Builder byTopic(int most) {
            mostTopics = checked("topics", most);
            return this;
        }

        /** Counters tell tenants apart, the first so many; the others are {@code other}. They do not by default. */
        public Builder byTenant(int most) {
            mostTenants = checked("tenants", most);
            return this;
        }

        /** After how many failed attempts a message counts as one that may never be delivered; 5 by default. */
        public Builder poisonAttempts(int attempts) {
            if (attempts < 1) {
                throw new PostroomException("poisonAttempts must be at least 1 (was " + attempts + "): change it");
            }
            poisonAttempts = attempts;
            return this;
        }

        /** How old an answer of the database may be before it is asked again; 10 s by default. */
        public Builder interval(Duration atLeast) {
            if (atLeast.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new PostroomException("the interval of metrics must be at least 1s (was " + atLeast
                        + "): the database has other things to do");
            }
            interval = atLeast;
            return this;
        }

        public PostroomMetrics build() {
            return new PostroomMetrics(this);
        }

        private static int checked(String what, int most) {
            if (most < 1 || most > MOST_NAMES) {
                throw new PostroomException("1 to " + MOST_NAMES + " " + what + " can be told apart (was " + most
                        + "): each makes more time series");
            }
            return most;
        }
    }
}
