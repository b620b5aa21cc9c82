package dev.postroom.jdbc.internal.h2;

import dev.postroom.jdbc.internal.Migrations;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.VersionTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Migrating H2. DDL commits at once there, and with it goes every lock of the transaction; so a second connection holds
 * the lock, on the row of version 0, while the first one migrates. It works across processes that share the database
 * with AUTO_SERVER, and ends with the connection should the node die.
 */
final class H2Dialect implements Migrations.Dialect {
    private static final int LOCK_MILLIS = 600_000;
    private static final String DUPLICATE_KEY = "23505";

    private final DataSource dataSource;
    private final SqlNames names;
    private final VersionTable versions;
    private final Map<Connection, Held> held = new ConcurrentHashMap<>();

    H2Dialect(DataSource dataSource, SqlNames names) {
        this.dataSource = dataSource;
        this.names = names;
        this.versions = new VersionTable(names);
    }

    /** What {@link #unlock} needs to know of a migrating connection. */
    private record Held(String schema, Connection lock) {}

    @Override
    public String folder() {
        return "h2";
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // closed by unlock
    public void lock(Connection connection) throws SQLException {
        String schema = connection.getSchema();
        Connection lock = dataSource.getConnection();
        held.put(connection, new Held(schema, lock));
        lock.setAutoCommit(true);
        execute(lock, "SET @postroom_lock_timeout = LOCK_TIMEOUT()", "SET LOCK_TIMEOUT " + LOCK_MILLIS);
        execute(lock, names.in("""
                CREATE TABLE IF NOT EXISTS postroom_schema (
                    version    INTEGER                     NOT NULL PRIMARY KEY,
                    script     VARCHAR(255)                NOT NULL,
                    applied_at TIMESTAMP(6) WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP(6))"""));
        insertLockRow(lock);
        lock.setAutoCommit(false);
        execute(lock, names.in("SELECT version FROM postroom_schema WHERE version = 0 FOR UPDATE"));
        if (names.names().schema() != null) {
            execute(connection, "SET SCHEMA " + names.names().schema());
        }
    }

    private void insertLockRow(Connection lock) throws SQLException {
        try {
            execute(lock, names.in("""
                    INSERT INTO postroom_schema (version, script)
                    SELECT 0, 'locked while a node migrates'
                    WHERE NOT EXISTS (SELECT 1 FROM postroom_schema WHERE version = 0)"""));
        } catch (SQLException e) {
            // another node was faster, which is as good
            if (!DUPLICATE_KEY.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    @Override
    public void unlock(Connection connection) throws SQLException {
        Held before = held.remove(connection);
        if (before == null) {
            return;
        }
        try (Connection lock = before.lock()) {
            lock.rollback();
            lock.setAutoCommit(true);
            execute(lock, "SET LOCK_TIMEOUT @postroom_lock_timeout");
        }
        if (names.names().schema() != null) {
            connection.setSchema(before.schema());
        }
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public int version(Connection connection) throws SQLException {
        return versions.version(connection);
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
        return schema == null ? "" : "SET SCHEMA " + schema + ";\n\n";
    }

    @Override
    public String grants(String role, String grantee) {
        return H2Grants.of(role, grantee, names);
    }
}
