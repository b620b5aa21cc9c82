package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.Migrations;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.VersionTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Migrating MariaDB. DDL commits at once there, so the lock is one that no commit releases: a named lock of the session,
 * which also ends with the session should the node die.
 */
final class MariaDbDialect implements Migrations.Dialect {
    private static final int LOCK_SECONDS = 600;

    private final SqlNames names;
    private final VersionTable versions;
    /** What each migrating connection was using before. */
    private final Map<Connection, String> databases = new ConcurrentHashMap<>();

    MariaDbDialect(SqlNames names) {
        this.names = names;
        this.versions = new VersionTable(names);
    }

    @Override
    public String folder() {
        return "mariadb";
    }

    @Override
    public void lock(Connection connection) throws SQLException {
        String schema = names.names().schema();
        if (schema != null) {
            String before = connection.getCatalog();
            connection.setCatalog(schema);
            if (before != null) {
                databases.put(connection, before);
            }
        }
        if (ask(
                        connection,
                        "SELECT GET_LOCK(CONCAT('postroom:', MD5(CONCAT(DATABASE(), '.', ?))), " + LOCK_SECONDS + ")")
                != 1) {
            throw new SQLException("another node has been migrating for more than " + LOCK_SECONDS
                    + " seconds: see what it is doing (SHOW PROCESSLIST), then try again");
        }
    }

    @Override
    public void unlock(Connection connection) throws SQLException {
        String before = databases.remove(connection);
        ask(connection, "SELECT RELEASE_LOCK(CONCAT('postroom:', MD5(CONCAT(DATABASE(), '.', ?))))");
        if (before != null) {
            connection.setCatalog(before);
        }
    }

    private int ask(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, names.names().prefix());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : 0;
            }
        }
    }

    @Override
    public int version(Connection connection) throws SQLException {
        int found = versions.version(connection);
        AutoCommit.endUnnoticed(connection);
        return found;
    }

    @Override
    public void record(Connection connection, int version, String script) throws SQLException {
        versions.record(connection, version, script);
    }

    @Override
    public boolean undoesFailedScripts() {
        return false;
    }

    @Override
    public String printedBefore() {
        String schema = names.names().schema();
        return schema == null ? "" : "USE " + schema + ";\n\n";
    }

    @Override
    public String grants(String role, String grantee) {
        return MariaDbGrants.of(role, grantee, names);
    }
}
