package dev.postroom.testkit.contract;

import dev.postroom.DatabaseException;
import java.sql.Connection;
import java.sql.SQLException;

/** Transaction isolation levels, weakest first. */
enum Isolation {
    READ_UNCOMMITTED(Connection.TRANSACTION_READ_UNCOMMITTED),
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    private final int level;

    Isolation(int level) {
        this.level = level;
    }

    Tx begin(StoreUnderTest store) {
        Tx tx = store.begin();
        try {
            set(tx.connection());
        } catch (SQLException e) {
            throw new DatabaseException(String.valueOf(e.getMessage()), e);
        }
        return tx;
    }

    void set(Connection connection) throws SQLException {
        connection.setTransactionIsolation(level);
    }

    /** Whether a transaction at this level sees one moment of the database from its first statement to its end. */
    boolean keepsSnapshot() {
        return compareTo(REPEATABLE_READ) >= 0;
    }
}
