package dev.postroom;

import java.sql.SQLException;

/**
 * The database refused a statement because of the values in it: a constraint, a range, a length, text that it cannot
 * store. The same values are refused again; other values may not be. Every other {@link DatabaseException} is trouble of the
 * database itself (grants, a missing table, a full disk, a lost connection) and says nothing about the values.
 */
public final class RefusedDataException extends DatabaseException {
    private static final long serialVersionUID = 1L;

    public RefusedDataException(String message, SQLException cause) {
        super(message, cause);
    }
}
