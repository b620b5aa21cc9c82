package dev.postroom.server.hostile;

import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table as another program sees it, and what that program's database calls the ends of time. */
enum HostileTable {
    POSTGRESQL("CAST(? AS json)", "CAST(? AS uuid)"),
    MARIADB("?", "?"),
    H2("?", "CAST(? AS uuid)");

    private final String headers;
    private final String id;

    HostileTable(String headers, String id) {
        this.headers = headers;
        this.id = id;
    }

    /** Times before all that is meant. */
    List<String> ancient() {
        return switch (this) {
            case POSTGRESQL -> List.of("'-infinity'", "'4713-01-01 00:00:00 BC'", "'0001-01-01'");
            case MARIADB -> List.of("'0000-00-00 00:00:00'", "'0001-01-01 00:00:00'", "'2020-00-00 00:00:00'");
            case H2 -> List.of(zoned("-1000000000-01-01"), zoned("-4713-01-01"));
        };
    }

    /** Times that never come. */
    List<String> distant() {
        return switch (this) {
            case POSTGRESQL -> List.of("'infinity'", "'294276-12-31 23:59:59'");
            case MARIADB -> List.of("'9999-12-31 23:59:59.999999'");
            case H2 -> List.of(zoned("1000000000-12-31"), zoned("300000000-01-01"));
        };
    }

    private static String zoned(String day) {
        return "TIMESTAMP WITH TIME ZONE '" + day + " 00:00:00+00'";
    }

    /** PostgreSQL and MariaDB keep text as UTF-8, which has no such thing. */
    boolean takesHalfCharacters() {
        return this == H2;
    }

    /** Writes the rows, each in its own transaction; returns those that the table has taken. */
    List<HostileRow> insert(TestDatabase database, List<HostileRow> rows) throws SQLException {
        List<HostileRow> taken = new ArrayList<>();
        try (Connection connection = database.connect()) {
            for (HostileRow row : rows) {
                if (insert(connection, row)) {
                    taken.add(row);
                }
            }
        }
        return taken;
    }

    private boolean insert(Connection connection, HostileRow row) throws SQLException {
        List<String> names = new ArrayList<>(List.of("id"));
        List<String> places = new ArrayList<>(List.of(id));
        List<@Nullable Object> values = new ArrayList<>();
        values.add(row.id.toString());
        for (Map.Entry<String, @Nullable Object> column : row.columns.entrySet()) {
            names.add(column.getKey());
            places.add(column.getKey().equals("headers") ? headers : "?");
            values.add(column.getValue());
        }
        row.expressions.forEach((name, expression) -> {
            names.add(name);
            places.add(expression);
        });
        String sql = "INSERT INTO postroom_message (" + String.join(", ", names) + ") VALUES ("
                + String.join(", ", places) + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (e.getSQLState() != null && e.getSQLState().matches("2[23].*")) {
                return false;
            }
            throw new SQLException("cannot write " + row, e.getSQLState(), e);
        }
    }
}
