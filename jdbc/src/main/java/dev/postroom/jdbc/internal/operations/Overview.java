package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.Gauges;
import dev.postroom.operations.Stats;
import dev.postroom.operations.Tenants;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outbox at a glance; each part probes an index or stops counting, so that all cost the same whatever the backlog. */
final class Overview {
    private static final Duration RECENTLY = Duration.ofSeconds(60);
    private static final List<Integer> WAITING = List.of(2);

    private static final String OLDEST_READY = """
            SELECT MIN(x.created_at) AS oldest
            FROM (SELECT (SELECT m.created_at FROM postroom_message m {along forward}
                          WHERE m.state = 0 AND m.lane = l.lane
                          ORDER BY m.state, m.lane, m.seq
                          LIMIT 1) AS created_at
                  FROM postroom_lane l) x
            """;

    /** By seq, which has an index: what was written last is, but for stragglers, also archived last. */
    private static final String RECENTLY_ARCHIVED = """
            SELECT COUNT(*) AS happened, MIN(x.at) AS earliest
            FROM (SELECT a.archived_at AS at FROM postroom_archive a {along seq} ORDER BY a.seq DESC LIMIT ?) x
            WHERE x.at > ?
            """;

    private static final String RECENTLY_FAILED = """
            SELECT COUNT(*) AS happened, MIN(x.at) AS earliest
            FROM (SELECT t.at FROM postroom_attempt t {along at} ORDER BY t.at DESC LIMIT ?) x
            WHERE x.at > ?
            """;

    /** What an operator lets go again waits like what failed, and may be all there is. */
    private static final String FAILED_AMONG_WAITING = """
            SELECT COUNT(*) AS waiting, COALESCE(SUM(CASE WHEN x.attempts >= ? THEN 1 ELSE 0 END), 0) AS failed
            FROM ({waiting} LIMIT ?) x
            """;

    private final OperationsSql sql;
    private final Counts counts;
    private final BlockedCounts blocked;
    private final int lookedAt;

    /** Counts go so far, and as many rows are looked at to tell what happened lately. */
    Overview(OperationsSql sql, int lookedAt) {
        this.sql = sql;
        this.counts = new Counts(sql, lookedAt);
        this.blocked = new BlockedCounts(sql, lookedAt);
        this.lookedAt = lookedAt;
    }

    Stats stats(Statements statements) throws SQLException {
        Counts.Count backlog = counts.inStates(statements, List.of(0, 1, 2));
        BlockedCounts.Blocked blocked = this.blocked.of(statements, Tenants.ALL);
        DueTimes due = sql.dueTimes(statements);
        double processed = perSecond(statements, RECENTLY_ARCHIVED);
        double failed = perSecond(statements, RECENTLY_FAILED);
        return new Stats(
                backlog.rows(),
                backlog.isExact(),
                counts.count(statements, sql.scheduled(), Where.bound(statements.now()))
                        .rows(),
                blocked.streams(),
                blocked.messages(),
                failedPending(statements),
                counts.inStates(statements, List.of(3)).rows(),
                Nodes.inFlight(statements),
                oldestAge(statements, due),
                processed,
                failed == 0 ? 0 : failed / (failed + processed),
                due.next(),
                due.next() == null ? null : due.latest());
    }

    Gauges gauges(Statements statements, int poisonAttempts) throws SQLException {
        return new Gauges(statements.now(), stats(statements), waiting(statements, poisonAttempts, lookedAt).failed);
    }

    private long failedPending(Statements statements) throws SQLException {
        Waiting waiting = waiting(statements, 1, lookedAt + 1);
        if (waiting.all <= lookedAt) {
            return waiting.failed;
        }
        Where where = new Where().and("m.state = 2 AND m.attempts > 0");
        Sample sample = new Sample(WAITING, waiting.failed, waiting.all);
        return Math.max(waiting.failed, sql.estimate(statements, Counts.LIVE, where, sample));
    }

    private Waiting waiting(Statements statements, int attempts, int most) throws SQLException {
        return statements.one(
                FAILED_AMONG_WAITING.replace("{waiting}", sql.inStates("m.attempts", WAITING)),
                List.of(attempts, most),
                row -> new Waiting(row.getLong("waiting"), row.getLong("failed")));
    }

    private record Waiting(long all, long failed) {}

    /** A message with a due time has waited since then; the others since they were written. */
    private static double oldestAge(Statements statements, DueTimes due) throws SQLException {
        Instant now = statements.now();
        Instant oldest = now;
        for (Instant ready : statements.all(
                OLDEST_READY, List.of(), row -> orNow(statements.timestamps().get(row, "oldest"), now))) {
            oldest = ready.isBefore(oldest) ? ready : oldest;
        }
        if (due.first() != null && due.first().isBefore(oldest)) {
            oldest = due.first();
        }
        return seconds(oldest, now);
    }

    private static Instant orNow(@Nullable Instant instant, Instant now) {
        return instant == null ? now : instant;
    }

    private double perSecond(Statements statements, String what) throws SQLException {
        Instant now = statements.now();
        return statements.one(what, List.of(lookedAt, now.minus(RECENTLY)), row -> {
            long happened = row.getLong("happened");
            Instant earliest = statements.timestamps().get(row, "earliest");
            if (earliest == null) {
                return 0.0;
            }
            // When more happened than was looked at, that took only as long as the earliest of them is ago.
            double span = happened < lookedAt ? RECENTLY.toSeconds() : Math.max(0.001, seconds(earliest, now));
            return happened / span;
        });
    }

    private static double seconds(Instant from, Instant to) {
        Duration time = Duration.between(from, to);
        // Not all of it in nanoseconds, of which a number holds no more than 292 years.
        return Math.max(0, time.getSeconds() + time.getNano() / 1e9);
    }
}
