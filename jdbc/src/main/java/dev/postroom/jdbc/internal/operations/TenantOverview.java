package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.Stats;
import dev.postroom.operations.Tenants;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some tenants' part of the outbox at a glance. No index leads to a tenant, so the newest rows in each state are looked at,
 * as lists do, and the numbers are exact while those are all.
 */
final class TenantOverview {
    private static final Duration RECENTLY = Duration.ofSeconds(60);

    /** Sums and no counts: PostgreSQL has no count of integers of its own, so somebody else's would be called. */
    private static final String IN_STATE = """
            SELECT COUNT(*) AS found,
                SUM(CASE WHEN m.attempts > 0 THEN 1 ELSE 0 END) AS failed,
                SUM(CASE WHEN COALESCE(m.retry_at, m.available_at) > ? THEN 1 ELSE 0 END) AS scheduled,
                MIN(CASE WHEN COALESCE(m.retry_at, m.available_at, m.created_at) <= ?
                         THEN COALESCE(m.retry_at, m.available_at, m.created_at) END) AS oldest,
                MIN(CASE WHEN COALESCE(m.retry_at, m.available_at) > ?
                         THEN COALESCE(m.retry_at, m.available_at) END) AS next_due,
                MAX(CASE WHEN COALESCE(m.retry_at, m.available_at) > ?
                         THEN COALESCE(m.retry_at, m.available_at) END) AS latest_due
            FROM ({source}) m
            WHERE {where}
            """;

    private static final String RECENTLY_ARCHIVED = """
            SELECT COUNT(*)
            FROM (SELECT a.archived_at AS at, a.tenant FROM postroom_archive a {along seq} ORDER BY a.seq DESC LIMIT ?) x
            WHERE x.at > ? AND {where}
            """;

    private final Windows windows;
    private final BlockedCounts blocked;
    private final int lookedAt;

    TenantOverview(OperationsSql sql, int lookedAt) {
        this.windows = new Windows(sql, lookedAt);
        this.blocked = new BlockedCounts(sql, lookedAt);
        this.lookedAt = lookedAt;
    }

    Stats stats(Statements statements, Tenants tenants) throws SQLException {
        InState ready = inState(statements, 0, tenants);
        InState delayed = inState(statements, 1, tenants);
        InState waiting = inState(statements, 2, tenants);
        InState dead = inState(statements, 3, tenants);
        BlockedCounts.Blocked behind = blocked.of(statements, tenants);
        InState backlog = ready.and(delayed).and(waiting);
        Instant now = statements.now();
        return new Stats(
                backlog.found,
                backlog.isExact,
                backlog.scheduled,
                behind.streams(),
                behind.messages(),
                waiting.failed,
                dead.found,
                0,
                backlog.oldest == null ? 0 : seconds(backlog.oldest, now),
                perSecond(statements, tenants, now),
                0,
                backlog.nextDue,
                backlog.latestDue);
    }

    private InState inState(Statements statements, int state, Tenants tenants) throws SQLException {
        Window window = windows.newest(statements, List.of(state), lookedAt);
        if (window.isEmpty()) {
            return InState.NOTHING;
        }
        Instant now = statements.now();
        Where own = Where.ofTenants("m.tenant", tenants);
        return statements.one(
                own.in(IN_STATE.replace("{source}", window.source())),
                own.values(List.of(now, now, now, now), List.of()),
                row -> InState.of(row, statements, !window.hasMore()));
    }

    private double perSecond(Statements statements, Tenants tenants, Instant now) throws SQLException {
        Where own = Where.ofTenants("x.tenant", tenants);
        long happened = statements.count(
                own.in(RECENTLY_ARCHIVED), own.values(List.of(lookedAt, now.minus(RECENTLY)), List.of()));
        return (double) happened / RECENTLY.toSeconds();
    }

    private static double seconds(Instant from, Instant to) {
        Duration time = Duration.between(from, to);
        return Math.max(0, time.getSeconds() + time.getNano() / 1e9);
    }

    private record InState(
            long found,
            boolean isExact,
            long failed,
            long scheduled,
            @Nullable Instant oldest,
            @Nullable Instant nextDue,
            @Nullable Instant latestDue) {
        static final InState NOTHING = new InState(0, true, 0, 0, null, null, null);

        static InState of(ResultSet row, Statements statements, boolean isExact) throws SQLException {
            return new InState(
                    row.getLong("found"),
                    isExact,
                    row.getLong("failed"),
                    row.getLong("scheduled"),
                    statements.timestamps().get(row, "oldest"),
                    statements.timestamps().get(row, "next_due"),
                    statements.timestamps().get(row, "latest_due"));
        }

        InState and(InState other) {
            return new InState(
                    found + other.found,
                    isExact && other.isExact,
                    failed + other.failed,
                    scheduled + other.scheduled,
                    earlier(oldest, other.oldest),
                    earlier(nextDue, other.nextDue),
                    later(latestDue, other.latestDue));
        }

        private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
            return one == null || (other != null && other.isBefore(one)) ? other : one;
        }

        private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
            return one == null || (other != null && other.isAfter(one)) ? other : one;
        }
    }
}
