package dev.postroom;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/**
 * The database refused or could not be reached. The message says what to do; {@link #sqlState()} lets a caller decide
 * whether to try its transaction again.
 */
public sealed class DatabaseException extends PostroomException permits RefusedDataException {
    private static final long serialVersionUID = 1L;

    private static final String REJECTED = "08004";
    private static final int MARIADB_IS_FULL = 1040;
    /** PostgreSQL shuts down, starts up or is full; H2's server does not answer. */
    private static final Set<String> NOT_NOW = Set.of("57P01", "57P02", "57P03", "53300", "90067");

    private final String sqlState;

    public DatabaseException(String message, SQLException cause) {
        super(message, cause);
        this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /**
     * No connection could be had. Says what fills a pool, where the exception looks like that of a pool whose connections are
     * all in use: JDBC has no other sign for it.
     */
    public static DatabaseException noConnection(String what, SQLException cause) {
        boolean exhausted = cause instanceof SQLTransientConnectionException && cause.getCause() == null;
        return new DatabaseException(
                what + ": " + cause.getMessage()
                        + (exhausted
                                ? ". If this is a pool, all its connections are in use: a relay keeps three for itself and"
                                        + " now and then takes a fourth, so make the pool larger by four, or give the relay"
                                        + " a data source of its own"
                                : ". Check that the database runs, and the settings of the data source"),
                cause);
    }

    /** The SQLSTATE of the cause, empty when the driver gave none. */
    public String sqlState() {
        return sqlState;
    }

    /** Whether it did not answer, or not yet, or had no room: it may be there in a while, although nobody changes anything. */
    public boolean isUnreachable() {
        if (sqlState.equals(REJECTED)) {
            // PostgreSQL's driver says so when it cannot sign in, MariaDB when it has too many connections.
            return getCause() instanceof SQLException cause && cause.getErrorCode() == MARIADB_IS_FULL;
        }
        return sqlState.startsWith("08")
                || NOT_NOW.contains(sqlState)
                || getCause() instanceof SQLTransientConnectionException;
    }

    /**
     * Whether the database gave this transaction up in favour of another one (class 40: serialization failure,
     * deadlock). The whole transaction may be tried again from its beginning.
     */
    public boolean isRetryable() {
        return sqlState.startsWith("40");
    }
}
