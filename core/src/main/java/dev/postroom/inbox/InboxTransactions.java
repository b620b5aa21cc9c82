package dev.postroom.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Runs the transactions that messages are handled in. Thread-safe. */
public interface InboxTransactions {

    /**
     * Runs the work in a transaction: commits when it returns, rolls back when it throws. What the work throws comes out as it
     * is, an SQLException as the cause of a {@link dev.postroom.DatabaseException}.
     *
     * @throws dev.postroom.DatabaseException when the transaction cannot begin or cannot commit
     */
    <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X;

    /** Whether this thread's next call begins a transaction, so that work which failed may be called again. */
    boolean beginsAnew();

    /** What is done in one transaction. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object, X extends Exception> {
        T run(Connection connection) throws SQLException, X;
    }
}
