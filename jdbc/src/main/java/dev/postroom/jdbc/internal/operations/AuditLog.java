package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.AuditEntry;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.Effect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Who changed what, when and why; written in the transaction of the change, and never changed afterwards. An action that changed
 * nothing leaves an entry too; of its later transactions only those that changed something do. When and as which user of the database is for the database to write.
 */
final class AuditLog {
    private static final String WRITE = """
            INSERT INTO postroom_audit (actor, action_id, part, action, target, reason, matched, changed, failed, old_state,
                new_state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String READ = """
            SELECT e.seq, e.at, e.db_user, e.actor, e.action_id, e.action, e.target, e.reason, e.matched, e.changed, e.failed,
                e.old_state, e.new_state
            FROM postroom_audit e {along PRIMARY}
            WHERE e.part = 0
            ORDER BY e.seq DESC
            LIMIT ? OFFSET ?
            """;
    private static final String LATER_PARTS = """
            SELECT e.action_id, e.matched, e.changed, e.failed, e.old_state, e.new_state
            FROM postroom_audit e {along action}
            WHERE e.part > 0 AND {where}
            ORDER BY e.seq
            LIMIT ?
            """;

    /** A page of the largest actions has fewer. */
    private static final int MOST_PARTS = 50_000;

    void write(Statements statements, Auditing auditing, Effect effect) throws SQLException {
        if (auditing.part() == 0 || effect.changed() > 0 || effect.failed() > 0 || auditing.matched() > 0) {
            statements.update(
                    WRITE,
                    List.of(
                            auditing.actor(),
                            auditing.id(),
                            auditing.part(),
                            auditing.action(),
                            auditing.target(),
                            auditing.reason(),
                            auditing.matched(),
                            effect.changed(),
                            effect.failed(),
                            effect.oldState(),
                            effect.newState()));
        }
    }

    List<AuditEntry> read(Statements statements, int page, int pageSize) throws SQLException {
        List<UUID> actions = new ArrayList<>();
        List<AuditEntry> first = statements.all(READ, List.of(pageSize, Math.multiplyExact(page, pageSize)), row -> {
            actions.add(MessageItems.id(row, "action_id"));
            return new AuditEntry(
                    row.getLong("seq"),
                    statements.timestamps().require(row, "at"),
                    row.getString("db_user"),
                    row.getString("actor"),
                    row.getString("action"),
                    row.getString("target"),
                    row.getString("reason"),
                    row.getLong("matched"),
                    row.getLong("changed"),
                    row.getLong("failed"),
                    row.getString("old_state"),
                    row.getString("new_state"));
        });
        if (first.isEmpty()) {
            return first;
        }
        Map<UUID, List<Part>> parts = laterParts(statements, actions);
        List<AuditEntry> whole = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            whole.add(with(first.get(i), parts.getOrDefault(actions.get(i), List.of())));
        }
        return whole;
    }

    private static Map<UUID, List<Part>> laterParts(Statements statements, List<UUID> actions) throws SQLException {
        Where where = new Where().andIn("e.action_id", actions);
        Map<UUID, List<Part>> parts = new HashMap<>();
        for (Part part : statements.all(
                where.in(LATER_PARTS),
                where.values(MOST_PARTS),
                row -> new Part(
                        MessageItems.id(row, "action_id"),
                        row.getLong("matched"),
                        new Effect(
                                row.getLong("changed"),
                                row.getLong("failed"),
                                row.getString("old_state"),
                                row.getString("new_state"))))) {
            parts.computeIfAbsent(part.action, action -> new ArrayList<>()).add(part);
        }
        return parts;
    }

    private static AuditEntry with(AuditEntry first, List<Part> later) {
        if (later.isEmpty()) {
            return first;
        }
        long matched = first.matched();
        long changed = first.changed();
        long failed = first.failed();
        StateCounts before = StateCounts.parse(first.oldState());
        StateCounts after = StateCounts.parse(first.newState());
        for (Part part : later) {
            matched += part.matched;
            changed += part.effect.changed();
            failed += part.effect.failed();
            before.add(StateCounts.parse(part.effect.oldState()));
            after.add(StateCounts.parse(part.effect.newState()));
        }
        return new AuditEntry(
                first.seq(),
                first.at(),
                first.databaseUser(),
                first.actor(),
                first.action(),
                first.target(),
                first.reason(),
                matched,
                changed,
                failed,
                before.toString(),
                after.toString());
    }

    private record Part(UUID action, long matched, Effect effect) {}
}
