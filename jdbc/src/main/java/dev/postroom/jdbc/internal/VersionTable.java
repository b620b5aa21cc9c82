package dev.postroom.jdbc.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Reads and writes {@code postroom_schema} where asking for a table that is not there does not end a transaction. */
public final class VersionTable {
    /** How MariaDB and H2 say that there is no such table; H2 adds whether it has any, and whether one looks alike. */
    private static final Set<String> NO_TABLE = Set.of("42S02", "42S03", "42S04");

    private final SqlNames names;

    public VersionTable(SqlNames names) {
        this.names = names;
    }

    /** The version found, 0 without the table or a row in it. */
    public int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(names.in("SELECT MAX(version) FROM postroom_schema"))) {
            return row.next() ? row.getInt(1) : 0;
        } catch (SQLException e) {
            if (e.getSQLState() != null && NO_TABLE.contains(e.getSQLState())) {
                return 0;
            }
            throw e;
        }
    }

    public void record(Connection connection, int version, String script) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(names.in("INSERT INTO postroom_schema (version, script) VALUES (?, ?)"))) {
            insert.setInt(1, version);
            insert.setString(2, script);
            insert.executeUpdate();
        }
    }
}
