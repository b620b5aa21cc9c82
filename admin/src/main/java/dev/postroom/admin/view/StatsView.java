package dev.postroom.admin.view;

import dev.postroom.operations.Stats;
import dev.postroom.operations.Tenants;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outbox at a glance.
 *
 * @param inFlight null for those who are bound to tenants, as is the failure ratio: relays know both only of all together
 */
public record StatsView(
        long backlog,
        long scheduled,
        long blockedStreams,
        long blockedMessages,
        long failedPending,
        long dead,
        @Nullable Long inFlight,
        double oldestAgeSeconds,
        double throughputPerSecond,
        @Nullable Double failureRatio,
        boolean backlogIsExact,
        @Nullable Instant nextDue,
        @Nullable Instant latestDue) {

    public static StatsView of(Stats stats) {
        return of(stats, Tenants.ALL);
    }

    public static StatsView of(Stats stats, Tenants tenants) {
        return new StatsView(
                stats.backlog(),
                stats.scheduled(),
                stats.blockedStreams(),
                stats.blockedMessages(),
                stats.failedPending(),
                stats.dead(),
                tenants.areAll() ? stats.inFlight() : null,
                stats.oldestAgeSeconds(),
                stats.throughputPerSecond(),
                tenants.areAll() ? stats.failureRatio() : null,
                stats.backlogIsExact(),
                stats.nextDue(),
                stats.latestDue());
    }
}
