package dev.postroom;

import java.sql.SQLException;

/**
 * The database refused or could not be reached. The message says what to do; {@link #sqlState()} lets a caller decide
 * whether to try its transaction again.
 */
public sealed class DatabaseException extends PostroomException permits RefusedDataException {
    private static final long serialVersionUID = 1L;

    private final String sqlState;

    public DatabaseException(String message, SQLException cause) {
        super(message, cause);
        this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /** The SQLSTATE of the cause, empty when the driver gave none. */
    public String sqlState() {
        return sqlState;
    }

    /**
     * Whether the database gave this transaction up in favour of another one (class 40: serialization failure,
     * deadlock). The whole transaction may be tried again from its beginning.
     */
    public boolean isRetryable() {
        return sqlState.startsWith("40");
    }
}
