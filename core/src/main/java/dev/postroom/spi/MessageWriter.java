package dev.postroom.spi;

import dev.postroom.Published;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes messages in the caller's transaction. Implementations never commit, roll back, set a savepoint or change a
 * session setting; a duplicate idempotency key never raises an error that would break the caller's transaction. Thread-safe.
 */
public interface MessageWriter {

    /**
     * Writes all messages in one round trip where the database allows it, so that their sequence numbers follow the
     * order of the list.
     *
     * <p>A message whose idempotency key is taken in its tenant, by an earlier transaction or earlier in the list, is
     * not written; its result carries the first message's id. If another open transaction has just taken the key, this
     * waits for that transaction to end. At REPEATABLE READ and above on PostgreSQL and H2 a key taken by a transaction
     * that committed after this one's snapshot is a serialization failure (SQLSTATE 40001), as for any other row.
     *
     * @return one result per message, in order
     */
    List<Published> write(Connection connection, List<NewMessage> messages) throws SQLException;
}
