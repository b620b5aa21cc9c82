package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.StorageFacts;
import dev.postroom.operations.StorageFacts.Table;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the tables lie in MariaDB. Who has which transaction open is told only to users with the right PROCESS. */
final class MariaDbStorage {
    private static final String TABLES = """
            SELECT t.table_name AS name, COALESCE(t.table_rows, 0) AS row_count,
                COALESCE(t.data_length, 0) + COALESCE(t.index_length, 0) AS bytes
            FROM information_schema.tables t
            WHERE t.table_schema = COALESCE(?, DATABASE()) AND t.table_type = 'BASE TABLE' AND {where}
            ORDER BY t.table_name
            """;

    private static final String OLDEST = """
            SELECT TIMESTAMPDIFF(SECOND, x.trx_started, NOW()) AS seconds, x.trx_mysql_thread_id AS thread, x.trx_state
            FROM information_schema.innodb_trx x
            WHERE x.trx_mysql_thread_id <> CONNECTION_ID()
            ORDER BY x.trx_started
            LIMIT 1
            """;

    private MariaDbStorage() {}

    static StorageFacts ask(Statements statements) throws SQLException {
        List<String> names = TableList.of(statements.tableNames().prefix());
        Where where = new Where().andIn("t.table_name", names);
        List<Table> tables = statements.all(
                where.in(TABLES),
                where.values(Arrays.asList(statements.tableNames().schema()), List.of()),
                row -> new Table(row.getString("name"), row.getLong("row_count"), row.getLong("bytes"), null));
        Oldest oldest = oldest(statements);
        return new StorageFacts(
                tables, oldest == null ? null : oldest.seconds, oldest == null ? null : oldest.whose, List.of());
    }

    private static @Nullable Oldest oldest(Statements statements) {
        try {
            List<Oldest> found = statements.all(
                    OLDEST,
                    List.of(),
                    row -> new Oldest(
                            Math.max(0, row.getDouble("seconds")),
                            "connection " + row.getLong("thread") + ", " + row.getString("trx_state")));
            return found.isEmpty() ? null : found.get(0);
        } catch (SQLException e) {
            // Without the right to see it, there is nothing to show; a failed SELECT leaves the transaction as it was.
            return null;
        }
    }

    private record Oldest(double seconds, String whose) {}
}
