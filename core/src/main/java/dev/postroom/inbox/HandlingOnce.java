package dev.postroom.inbox;

import dev.postroom.DatabaseException;
import dev.postroom.NoTransactionException;
import dev.postroom.spi.InboxStore;
import dev.postroom.spi.Store;
import java.sql.Connection;
import java.sql.SQLException;

/** Handles one message in one transaction, together with the record that it was handled. */
final class HandlingOnce {
    /** Each time another delivery of the same message must have committed in between, so the second finds it. */
    private static final int MOST_TRIES = 5;

    private final InboxTransactions transactions;
    private final Store store;
    private final InboxStore inbox;

    HandlingOnce(InboxTransactions transactions, Store store) {
        this.transactions = transactions;
        this.store = store;
        this.inbox = store.inbox();
    }

    /** A serialization failure before the handler began costs nobody anything: it is tried again in a new transaction. */
    <X extends Exception> Handling handle(InboxKey key, InboxAction<X> handler) throws X {
        for (int attempt = 1; ; attempt++) {
            try {
                return transactions.call(connection -> handle(connection, key, handler));
            } catch (NotRecordedException e) {
                if (!e.failure.isRetryable() || attempt == MOST_TRIES || !transactions.beginsAnew()) {
                    throw e.failure;
                }
            }
        }
    }

    private <X extends Exception> Handling handle(Connection connection, InboxKey key, InboxAction<X> handler)
            throws SQLException, X {
        if (store.commitsEachStatement(connection)) {
            throw new NoTransactionException(
                    "what begins the inbox's transactions began none of its data source, so that"
                            + " what a handler writes and the record that it ran would not commit together: give the inbox the"
                            + " transaction manager of its own data source");
        }
        if (!record(connection, key)) {
            return Handling.DUPLICATE;
        }
        handler.run(new InboxTransaction(connection));
        store.requireIntact(connection); // else the message would be acknowledged, and neither handled nor recorded
        return Handling.HANDLED;
    }

    private boolean record(Connection connection, InboxKey key) {
        try {
            return inbox.record(connection, key.consumer(), key.messageId());
        } catch (SQLException e) {
            throw new NotRecordedException(
                    new DatabaseException("could not record a message in the inbox: " + e.getMessage(), e));
        }
    }

    /** Tells what failed before the handler began from what the handler threw. */
    private static final class NotRecordedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        final transient DatabaseException failure;

        NotRecordedException(DatabaseException failure) {
            super(failure.getMessage(), failure, false, false);
            this.failure = failure;
        }
    }
}
