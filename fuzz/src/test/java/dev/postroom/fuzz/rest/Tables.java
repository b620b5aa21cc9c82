package dev.postroom.fuzz.rest;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The outbox's tables, to see whether a request changed them and to put them back as they were. */
final class Tables {
    static final String AUDIT = "POSTROOM_AUDIT";

    private static final String FOREIGN = " WHERE tenant <> 'acme'";

    /** One for all, as opening one takes longer than all that is asked. */
    private final Connection connection;
    /** The columns that can be written, by table. */
    private final Map<String, String> columns = new LinkedHashMap<>();

    Tables(DataSource dataSource) throws SQLException {
        connection = dataSource.getConnection();
    }

    /** Remembers what is in them. */
    void save() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : texts(
                    statement,
                    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'"
                            + " AND table_type = 'BASE TABLE' ORDER BY 1")) {
                columns.put(
                        table,
                        String.join(
                                ", ",
                                texts(
                                        statement,
                                        "SELECT column_name FROM information_schema.columns WHERE table_schema ="
                                                + " 'PUBLIC' AND is_generated = 'NEVER' AND table_name = '" + table
                                                + "' ORDER BY ordinal_position")));
            }
            for (Map.Entry<String, String> table : columns.entrySet()) {
                statement.execute("CREATE TABLE saved_" + table.getKey() + " AS SELECT " + table.getValue() + " FROM "
                        + table.getKey());
            }
        }
    }

    void restore() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> table : columns.entrySet()) {
                statement.execute("DELETE FROM " + table.getKey());
                statement.execute("INSERT INTO " + table.getKey() + " (" + table.getValue() + ") SELECT "
                        + table.getValue() + " FROM saved_" + table.getKey());
            }
        }
    }

    /** All rows of all tables, by table. */
    Map<String, String> rows() throws SQLException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String table : columns.keySet()) {
            rows.put(table, contents("SELECT " + columns.get(table) + " FROM " + table + " ORDER BY 1, 2"));
        }
        return rows;
    }

    /** What an operator of the tenant acme must not change: everything that is not acme's, except the audit. */
    Map<String, String> foreignRows() throws SQLException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String table : columns.keySet()) {
            boolean owned = columns.get(table).contains("TENANT");
            String where = owned ? FOREIGN : table.equals("POSTROOM_ATTEMPT") ? attemptsOfOthers() : "";
            if (!table.equals(AUDIT)) {
                rows.put(table, contents("SELECT " + columns.get(table) + " FROM " + table + where + " ORDER BY 1, 2"));
            }
        }
        return rows;
    }

    private static String attemptsOfOthers() {
        return " WHERE message_id IN (SELECT id FROM saved_postroom_message" + FOREIGN + ")";
    }

    private String contents(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            int width = rows.getMetaData().getColumnCount();
            StringBuilder text = new StringBuilder();
            while (rows.next()) {
                for (int i = 1; i <= width; i++) {
                    text.append(rows.getString(i)).append('|');
                }
                text.append('\n');
            }
            return text.toString();
        }
    }

    private static List<String> texts(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }
}
