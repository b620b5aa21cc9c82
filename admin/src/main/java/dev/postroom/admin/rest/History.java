package dev.postroom.admin.rest;

import dev.postroom.admin.view.HistoryView;
import dev.postroom.admin.view.HistoryView.Point;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Readings.Reading;
import dev.postroom.operations.RelayReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last hour, point by point. Rates come from what relays count, between two reports of the same relay and over the time
 * that lay between those, so that they are right however readings and reports fall. Thread-safe.
 */
public final class History {
    public static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final int MOST = 720;

    private final Deque<Point> points = new ArrayDeque<>();
    private Map<String, Seen> seen = new HashMap<>();

    /** What a relay said, and what it did per second when it said that. */
    private record Seen(Instant at, long delivered, long failed, double deliveredPerSecond, double failedPerSecond) {}

    public synchronized void add(Reading reading, Instant now) {
        Map<String, Seen> next = new HashMap<>();
        Rates rates = new Rates();
        for (NodeItem node : reading.nodes()) {
            if (node.alive()) {
                Seen latest = look(node, seen.get(node.node()));
                next.put(node.node(), latest);
                rates.add(latest, node.report());
            }
        }
        seen = next;
        if (points.size() == MOST) {
            points.removeFirst();
        }
        points.addLast(rates.point(reading, now));
    }

    /** The same report seen again still says what the relay did last. */
    private static Seen look(NodeItem node, @Nullable Seen before) {
        RelayReport report = node.report();
        Instant at = node.lastSeen();
        if (before != null && !at.isAfter(before.at)) {
            return before;
        }
        boolean comparable = before != null && report.delivered() >= before.delivered && before.delivered >= 0;
        double seconds = comparable && before != null
                ? Duration.between(before.at, at).toNanos() / 1e9
                : Math.max(
                        1, Math.min(60, Duration.between(node.startedAt(), at).toSeconds()));
        double delivered = comparable && before != null
                ? report.delivered() - before.delivered
                : report.minute().delivered();
        double failed = comparable && before != null
                ? report.failed() - before.failed
                : report.minute().failed();
        return new Seen(at, report.delivered(), report.failed(), delivered / seconds, Math.max(0, failed) / seconds);
    }

    public synchronized HistoryView view() {
        return new HistoryView(INTERVAL.toSeconds(), List.copyOf(new ArrayList<>(points)));
    }

    /** All relays together. Percentiles cannot be added up: the middle is weighed, of the tail the worst is told. */
    private static final class Rates {
        private double delivered;
        private double failed;
        private double weighed;
        private long weight;
        private @Nullable Double p95;
        private @Nullable Double p99;

        void add(Seen latest, RelayReport report) {
            delivered += latest.deliveredPerSecond;
            failed += latest.failedPerSecond;
            Double p50 = report.minute().p50Millis();
            if (p50 != null) {
                weighed += p50 * report.minute().delivered();
                weight += report.minute().delivered();
                p95 = worse(p95, report.minute().p95Millis());
                p99 = worse(p99, report.minute().p99Millis());
            }
        }

        private static @Nullable Double worse(@Nullable Double one, @Nullable Double other) {
            return one == null || (other != null && other > one) ? other : one;
        }

        Point point(Reading reading, Instant now) {
            return new Point(
                    now,
                    reading.stats().backlog(),
                    reading.stats().dead(),
                    rounded(delivered),
                    rounded(failed),
                    weight == 0 ? null : rounded(weighed / weight),
                    p95,
                    p99);
        }

        private static double rounded(double value) {
            return Math.round(value * 100) / 100.0;
        }
    }
}
