package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.StorageFacts;
import dev.postroom.operations.StorageFacts.Table;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** How the tables lie in H2, which counts rows as it goes and knows no bytes without reading everything. */
final class H2Storage {
    private static final String TABLES = """
            SELECT t.table_name AS name, t.row_count_estimate AS row_count
            FROM information_schema.tables t
            WHERE LOWER(t.table_schema) = LOWER(COALESCE(CAST(? AS VARCHAR), CURRENT_SCHEMA)) AND {where}
            ORDER BY t.table_name
            """;

    private H2Storage() {}

    static StorageFacts ask(Statements statements) throws SQLException {
        List<String> names = TableList.of(statements.tableNames().prefix());
        Where where = new Where().andIn("LOWER(t.table_name)", names);
        List<Table> tables = statements.all(
                where.in(TABLES),
                where.values(Arrays.asList(statements.tableNames().schema()), List.of()),
                row -> new Table(
                        row.getString("name").toLowerCase(java.util.Locale.ROOT),
                        row.getLong("row_count"),
                        null,
                        null));
        return new StorageFacts(tables, null, null, List.of());
    }

    /** How many rows a table has, of which the name is given without the prefix. */
    static long rows(Statements statements, String name) throws SQLException {
        String whole = statements.tableNames().prefix() + name;
        return ask(statements).tables().stream()
                .filter(table -> table.name().equals(whole))
                .mapToLong(Table::rows)
                .sum();
    }
}
