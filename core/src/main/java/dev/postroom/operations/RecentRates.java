package dev.postroom.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all live relays did in the last minute, by their own reports: those count what is deleted after delivery, too. */
record RecentRates(long delivered, long failed) {
    private static final double SECONDS = 60;

    /** Null when no live relay tells. */
    static @Nullable RecentRates of(List<NodeItem> nodes) {
        List<RelayReport> reports = nodes.stream()
                .filter(NodeItem::alive)
                .map(NodeItem::report)
                .filter(report -> report.delivered() >= 0)
                .toList();
        return reports.isEmpty()
                ? null
                : new RecentRates(
                        reports.stream().mapToLong(r -> r.minute().delivered()).sum(),
                        reports.stream().mapToLong(r -> r.minute().failed()).sum());
    }

    long outcomes() {
        return delivered + failed;
    }

    double perSecond() {
        return delivered / SECONDS;
    }

    double failureRatio() {
        return outcomes() == 0 ? 0 : (double) failed / outcomes();
    }
}
