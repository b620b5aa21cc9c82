package dev.postroom.admin.view;

import dev.postroom.operations.Stats;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The outbox at a glance. */
public record StatsView(
        long backlog,
        long scheduled,
        long blocked,
        long failedPending,
        long dead,
        long inFlight,
        double oldestAgeSeconds,
        double throughputPerSecond,
        double failureRatio,
        boolean backlogIsExact,
        @Nullable Instant nextDue,
        @Nullable Instant latestDue) {

    public static StatsView of(Stats stats) {
        return new StatsView(
                stats.backlog(),
                stats.scheduled(),
                stats.blocked(),
                stats.failedPending(),
                stats.dead(),
                stats.inFlight(),
                stats.oldestAgeSeconds(),
                stats.throughputPerSecond(),
                stats.failureRatio(),
                stats.backlogIsExact(),
                stats.nextDue(),
                stats.latestDue());
    }
}
