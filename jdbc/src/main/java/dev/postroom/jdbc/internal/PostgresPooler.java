package dev.postroom.jdbc.internal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * A pooler between a connection and the server, such as PgBouncer. In its usual mode it gives each transaction to any of its sessions:
 * settings that outlive a transaction reach strangers, and a statement prepared in the server is not there the next time, or is
 * somebody else's. The driver prepares COMMIT already at its first use, so it must be told before that.
 *
 * @param seen false when there may be none, but nobody can tell
 * @param prepareThreshold what the driver's was before
 */
public record PostgresPooler(boolean seen, int prepareThreshold) {
    private static final boolean DRIVER_IS_THERE = driverIsThere();

    /** The driver's word for never. */
    private static final int NOTHING = 0;

    /**
     * The pooler behind which this connection is, or null when it reaches the server directly. A pooler invents the process id that the
     * driver is told when it connects, because none of its sessions is the connection's own. Where the driver cannot be asked (another
     * one, a wrapper that hides it) nobody can tell, and the session is not relied on.
     */
    public static @Nullable PostgresPooler before(Connection connection) throws SQLException {
        if (!isReachable(connection)) {
            return new PostgresPooler(false, NOTHING);
        }
        PgConnection driver = connection.unwrap(PgConnection.class);
        return driver.getBackendPID() == serversPid(connection)
                ? null
                : new PostgresPooler(true, driver.getPrepareThreshold());
    }

    /** In a transaction that ends with the question, also where a pool gives out connections that begin one. */
    private static int serversPid(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        } finally {
            connection.setAutoCommit(autoCommit);
        }
    }

    /** From now on the connection prepares nothing in the server. */
    public void takeOver(Connection connection) throws SQLException {
        setPrepareThreshold(connection, NOTHING);
    }

    /** Undoes {@link #takeOver}. */
    public void handBack(Connection connection) throws SQLException {
        setPrepareThreshold(connection, prepareThreshold);
    }

    private static void setPrepareThreshold(Connection connection, int threshold) throws SQLException {
        if (isReachable(connection)) {
            connection.unwrap(PgConnection.class).setPrepareThreshold(threshold);
        }
    }

    private static boolean isReachable(Connection connection) throws SQLException {
        return DRIVER_IS_THERE && connection.isWrapperFor(PgConnection.class);
    }

    private static boolean driverIsThere() {
        try {
            return Connection.class.isAssignableFrom(PgConnection.class);
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }
}
