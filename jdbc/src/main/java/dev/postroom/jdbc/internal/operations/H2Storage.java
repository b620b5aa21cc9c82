package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.StorageFacts;
import dev.postroom.operations.StorageFacts.Table;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How the tables lie in H2, which counts rows as it goes and knows no bytes without reading everything. */
final class H2Storage {
    private static final String TABLES = """
            SELECT t.table_name AS name, t.row_count_estimate AS row_count
            FROM information_schema.tables t
            WHERE {where}
            ORDER BY t.table_name
            """;

    private H2Storage() {}

    static StorageFacts ask(Statements statements) throws SQLException {
        Where where = new Where()
                .andIn(
                        "t.table_name",
                        spelled(TableList.of(statements.tableNames().prefix())));
        String schema = statements.tableNames().schema();
        if (schema == null) {
            where.and("t.table_schema = CURRENT_SCHEMA");
        } else {
            where.andIn("t.table_schema", spelled(List.of(schema)));
        }
        List<Table> tables = statements.all(
                where.in(TABLES),
                where.values(),
                row -> new Table(row.getString("name").toLowerCase(Locale.ROOT), row.getLong("row_count"), null, null));
        return new StorageFacts(tables, null, null, List.of());
    }

    /** Names are kept in upper or in lower case, as the database was told; its own LOWER depends on the locale. */
    private static List<String> spelled(List<String> names) {
        return Stream.concat(names.stream(), names.stream().map(name -> name.toUpperCase(Locale.ROOT)))
                .toList();
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
