package dev.postroom.spi;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Remembers in the caller's transaction what a consumer has handled. Implementations never commit, roll back, set a
 * savepoint or change a session setting. Thread-safe.
 */
public interface InboxStore {

    /**
     * Records that the consumer handles the message in this transaction, unless it has been recorded before; never raises
     * an error for that. If another open transaction has just recorded it, this waits for that transaction to end.
     *
     * <p>On PostgreSQL at REPEATABLE READ and above, a record by a transaction that committed after this one's snapshot is a
     * serialization failure (SQLSTATE 40001), as for any other row. On H2 a wait beyond LOCK_TIMEOUT is one too.
     *
     * @return whether it is new
     */
    boolean record(Connection connection, String consumer, String messageId) throws SQLException;
}
