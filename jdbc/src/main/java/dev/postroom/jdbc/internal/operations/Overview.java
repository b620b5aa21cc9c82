package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.MessagePage;
import dev.postroom.operations.Stats;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outbox at a glance; each part probes an index or stops counting, so that all cost the same whatever the backlog. */
final class Overview {
    private static final Duration RECENTLY = Duration.ofSeconds(60);
    private static final int RECENT_ROWS = 10_000;

    private static final String OLDEST_READY = """
            SELECT MIN(x.created_at) AS oldest
            FROM (SELECT (SELECT m.created_at FROM postroom_message m
                          WHERE m.state = 0 AND m.lane = l.lane ORDER BY m.seq LIMIT 1) AS created_at
                  FROM postroom_lane l) x
            """;

    /** By seq, which has an index: what was written last is, but for stragglers, also archived last. */
    private static final String RECENTLY_ARCHIVED = """
            SELECT COUNT(*) AS happened, MIN(x.at) AS earliest
            FROM (SELECT a.archived_at AS at FROM postroom_archive a ORDER BY a.seq DESC LIMIT ?) x
            WHERE x.at > ?
            """;

    private static final String RECENTLY_FAILED = """
            SELECT COUNT(*) AS happened, MIN(x.at) AS earliest
            FROM (SELECT t.at FROM postroom_attempt t ORDER BY t.at DESC LIMIT ?) x
            WHERE x.at > ?
            """;

    private final OperationsSql sql;
    private final Counts counts;

    Overview(OperationsSql sql) {
        this.sql = sql;
        this.counts = new Counts(sql);
    }

    Stats stats(Statements statements) throws SQLException {
        Instant now = statements.now();
        Counts.Count backlog = count(statements, new Where().and("m.state IN (0, 1, 2)"));
        Due due = statements.one(
                sql.dueTimes(),
                List.of(now),
                row -> new Due(
                        statements.timestamps().get(row, "first_due"),
                        statements.timestamps().get(row, "next_due"),
                        statements.timestamps().get(row, "latest_due")));
        double processed = perSecond(statements, RECENTLY_ARCHIVED);
        double failed = perSecond(statements, RECENTLY_FAILED);
        Where holders = new Where().and("m.state >= 2 AND m.holds AND NOT m.released AND m.ordering_key IS NOT NULL");
        return new Stats(
                backlog.rows(),
                backlog.isExact(),
                scheduled(statements, now),
                count(statements, holders).rows(),
                count(statements, new Where().and("m.state = 2 AND m.attempts > 0"))
                        .rows(),
                count(statements, new Where().and("m.state = 3")).rows(),
                Nodes.inFlight(statements),
                oldestAge(statements, due),
                processed,
                failed == 0 ? 0 : failed / (failed + processed),
                due.next,
                due.next == null ? null : due.latest);
    }

    private long scheduled(Statements statements, Instant now) throws SQLException {
        int most = MessagePage.EXACT_UP_TO + 1;
        long exact = statements.count(sql.countScheduled(), List.of(now, most));
        if (exact < most) {
            return exact;
        }
        Where where = new Where().and("m.state IN (1, 2)").and("COALESCE(m.retry_at, m.available_at) > ?", now);
        return Math.max(exact, sql.estimate(statements, Counts.LIVE, where));
    }

    private Counts.Count count(Statements statements, Where where) throws SQLException {
        return counts.count(statements, Counts.LIVE, where);
    }

    /** A message with a due time has waited since then; the others since they were written. */
    private static double oldestAge(Statements statements, Due due) throws SQLException {
        Instant now = statements.now();
        Instant oldest = now;
        for (Instant ready : statements.all(
                OLDEST_READY, List.of(), row -> orNow(statements.timestamps().get(row, "oldest"), now))) {
            oldest = ready.isBefore(oldest) ? ready : oldest;
        }
        if (due.first != null && due.first.isBefore(oldest)) {
            oldest = due.first;
        }
        return seconds(oldest, now);
    }

    private static Instant orNow(@Nullable Instant instant, Instant now) {
        return instant == null ? now : instant;
    }

    private static double perSecond(Statements statements, String what) throws SQLException {
        Instant now = statements.now();
        return statements.one(what, List.of(RECENT_ROWS, now.minus(RECENTLY)), row -> {
            long happened = row.getLong("happened");
            Instant earliest = statements.timestamps().get(row, "earliest");
            if (earliest == null) {
                return 0.0;
            }
            // When more happened than was looked at, that took only as long as the earliest of them is ago.
            double span = happened < RECENT_ROWS ? RECENTLY.toSeconds() : Math.max(0.001, seconds(earliest, now));
            return happened / span;
        });
    }

    private static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toNanos() / 1e9);
    }

    private record Due(
            @Nullable Instant first,
            @Nullable Instant next,
            @Nullable Instant latest) {}
}
