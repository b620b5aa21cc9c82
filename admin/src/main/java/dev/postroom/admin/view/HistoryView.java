package dev.postroom.admin.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last hour, as this process has seen it. */
public record HistoryView(long intervalSeconds, List<Point> points) {

    /** One moment; latencies are null when nothing was delivered in the minute before. */
    public record Point(
            Instant at,
            long backlog,
            long dead,
            double deliveredPerSecond,
            double failedPerSecond,
            @Nullable Double p50Millis,
            @Nullable Double p95Millis,
            @Nullable Double p99Millis) {}
}
