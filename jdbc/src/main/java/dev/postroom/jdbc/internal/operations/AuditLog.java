package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.AuditEntry;
import dev.postroom.operations.OperationsStore.Auditing;
import java.sql.SQLException;
import java.util.List;

/** Who changed what, when and why; written in the transaction of the change. What changed nothing leaves no trace. */
final class AuditLog {
    private static final String WRITE =
            "INSERT INTO postroom_audit (at, actor, action, target, reason, changed) VALUES (?, ?, ?, ?, ?, ?)";
    private static final String READ = """
            SELECT e.seq, e.at, e.actor, e.action, e.target, e.reason, e.changed
            FROM postroom_audit e {along PRIMARY}
            ORDER BY e.seq DESC
            LIMIT ? OFFSET ?
            """;

    void write(Statements statements, Auditing auditing, long changed) throws SQLException {
        if (changed > 0) {
            statements.update(
                    WRITE,
                    List.of(
                            statements.now(),
                            auditing.actor(),
                            auditing.action(),
                            auditing.target(),
                            auditing.reason(),
                            changed));
        }
    }

    List<AuditEntry> read(Statements statements, int page, int pageSize) throws SQLException {
        return statements.all(
                READ,
                List.of(pageSize, Math.multiplyExact(page, pageSize)),
                row -> new AuditEntry(
                        row.getLong("seq"),
                        statements.timestamps().require(row, "at"),
                        row.getString("actor"),
                        row.getString("action"),
                        row.getString("target"),
                        row.getString("reason"),
                        row.getLong("changed")));
    }
}
