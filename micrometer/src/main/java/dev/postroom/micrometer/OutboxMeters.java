package dev.postroom.micrometer;

import dev.postroom.operations.Gauges;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** How an outbox stands, by what its database says. The same from every process that watches the same outbox. */
final class OutboxMeters {
    private final Meters meters;
    private final Snapshots snapshots;

    OutboxMeters(Meters meters, Snapshots snapshots) {
        this.meters = meters;
        this.snapshots = snapshots;
    }

    void register() {
        gauge(
                "backlog",
                "messages",
                "Messages to be delivered, scheduled ones included",
                g -> g.stats().backlog());
        gauge(
                "oldest.pending",
                "seconds",
                "How long the oldest message has waited that is neither scheduled nor dead",
                g -> g.stats().oldestAgeSeconds());
        gauge("dead", "messages", "Dead letters", g -> g.stats().dead());
        gauge(
                "blocked",
                "streams",
                "Streams whose messages wait for a failed or dead one",
                g -> g.stats().blockedStreams());
        gauge(
                "scheduled",
                "messages",
                "Messages with a delivery or retry time in the future",
                g -> g.stats().scheduled());
        gauge(
                "next.due",
                "seconds",
                "Until the next scheduled message is due",
                g -> until(g, g.stats().nextDue()));
        gauge(
                "latest.due",
                "seconds",
                "Until the last scheduled message is due",
                g -> until(g, g.stats().latestDue()));
        gauge(
                "retrying",
                "messages",
                "Messages that failed and will be tried again",
                g -> g.stats().failedPending());
        gauge("poison.candidates", null, "Messages that failed so often that they may die", Gauges::poisonCandidates);
        meters.gauge(
                "postroom.clock.offset",
                "seconds",
                "How far the database's clock is ahead of this machine's, at least",
                Tags.empty(),
                snapshots::clockOffsetSeconds);
        meters.gauge(
                "postroom.snapshot.age",
                "seconds",
                "How long ago the database said how the outbox stands",
                Tags.empty(),
                snapshots::ageSeconds);
        meters.counting(
                "postroom.snapshot.failures",
                "How often the database did not say how the outbox stands",
                snapshots::failures);
    }

    private void gauge(String name, @Nullable String unit, String description, ToDoubleFunction<Gauges> value) {
        meters.gauge("postroom." + name, unit, description, Tags.empty(), () -> {
            Gauges gauges = snapshots.current();
            return gauges == null ? Double.NaN : value.applyAsDouble(gauges);
        });
    }

    private static double until(Gauges gauges, @Nullable Instant due) {
        return due == null ? Double.NaN : Duration.between(gauges.at(), due).toMillis() / 1_000.0;
    }
}
