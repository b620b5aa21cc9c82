package dev.postroom.outbox;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Finds the transaction that the calling code is in, where a framework keeps one. Thread-safe. */
public interface AmbientTransaction {

    /** No framework: there is never one. */
    AmbientTransaction NONE = new AmbientTransaction() {
        @Override
        public @Nullable Connection connection() {
            return null;
        }

        @Override
        public void afterCommit(Runnable action) {}

        @Override
        public void atEnd(TransactionEnd end) {}
    };

    /** The connection of the current transaction, or null when there is none. */
    @Nullable
    Connection connection();

    /**
     * Runs the action once the current transaction has committed, and never if it rolls back. Of very many it may leave out
     * some: they only save time.
     */
    void afterCommit(Runnable action);

    /** Tells how the current transaction ended, without fail. */
    void atEnd(TransactionEnd end);
}
