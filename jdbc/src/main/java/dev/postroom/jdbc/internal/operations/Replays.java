package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.Effect;
import dev.postroom.operations.OperationsStore.ReplayPosition;
import dev.postroom.operations.OperationsStore.ReplayStep;
import dev.postroom.operations.ReplayRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sends archived messages again. Payloads never leave the database on the way. */
final class Replays {
    private static final String NEXT =
            "SELECT a.seq, a.id FROM postroom_archive a WHERE {where} AND a.seq > ? ORDER BY a.seq LIMIT ?";

    /**
     * With a new seq, hence after everything that waits, and with the time it was first written. It is read by its due
     * time, so that a rate spreads it out. What is live already, or was archived twice, is sent once.
     */
    private static final String PUT_BACK = """
            INSERT INTO postroom_message (id, created_at, available_at, only_destination, tenant, topic, ordering_key, type,
                content_type, content_encoding, source, headers, payload)
            SELECT a.id, a.created_at, ?, ?, a.tenant, a.topic, a.ordering_key, a.type,
                a.content_type, a.content_encoding, a.source, a.headers, a.payload
            FROM postroom_archive a
            WHERE a.seq = ? AND a.id = ?
              AND NOT EXISTS (SELECT 1 FROM postroom_message m WHERE m.id = a.id)
            """;

    private static final String TOPICS =
            "SELECT DISTINCT a.topic FROM postroom_archive a WHERE {where} ORDER BY a.topic LIMIT ?";

    private final OperationsSql sql;
    private final AuditLog audit;

    Replays(OperationsSql sql, AuditLog audit) {
        this.sql = sql;
        this.audit = audit;
    }

    long count(Statements statements, ReplayRequest request, int limit) throws SQLException {
        return Counts.upTo(statements, sql.archived(), where(request), limit);
    }

    List<String> topics(Statements statements, @Nullable String tenant, Instant from, Instant to, int limit)
            throws SQLException {
        Where where = new Where()
                .and("a.outcome = 0")
                .andIf("a.tenant = ?", tenant)
                .and("a.archived_at >= ?", from)
                .and("a.archived_at < ?", to);
        return statements.all(where.in(TOPICS), where.values(limit), row -> row.getString("topic"));
    }

    ReplayStep step(Statements statements, ReplayRequest request, ReplayPosition from, int limit, Auditing auditing)
            throws SQLException {
        Where where = where(request);
        List<Archived> next = statements.all(
                where.in(NEXT),
                where.values(from.afterSeq(), limit),
                row -> new Archived(row.getLong("seq"), MessageItems.id(row, "id")));
        if (next.isEmpty()) {
            audit.write(statements, auditing, new Effect(0, 0, "", "nothing matched"));
            return new ReplayStep(0, 0, null);
        }
        List<List<? extends @Nullable Object>> each = new ArrayList<>();
        for (Archived message : next) {
            Instant due = due(statements.now(), request.ratePerSecond(), from.sent() + each.size());
            each.add(List.of(due, request.destination(), message.seq, message.id));
        }
        int changed = statements.updateOneByOne(PUT_BACK, each);
        audit.write(statements, auditing, new Effect(changed, 0, of(changed, "archived"), of(changed, "pending")));
        long last = next.get(next.size() - 1).seq;
        return new ReplayStep(changed, next.size() - changed, new ReplayPosition(last, from.sent() + changed));
    }

    private static String of(int messages, String state) {
        return new StateCounts().add(messages, state).toString();
    }

    private static Instant due(Instant now, @Nullable Integer rate, long before) {
        return rate == null ? now : now.plusNanos(Math.multiplyExact(before, 1_000_000_000L) / rate);
    }

    /** Skipped messages were never meant to arrive. */
    private static Where where(ReplayRequest request) {
        return new Where()
                .and("a.outcome = 0")
                .and("a.topic = ?", request.topic())
                .andIf("a.tenant = ?", request.tenant())
                .andIf("a.ordering_key = ?", request.key())
                .andIf("a.archived_at >= ?", request.from())
                .andIf("a.archived_at < ?", request.to());
    }

    private record Archived(long seq, UUID id) {}
}
