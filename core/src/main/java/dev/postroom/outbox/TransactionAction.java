package dev.postroom.outbox;

import java.sql.SQLException;

/** What {@link Outbox#inTransaction} runs: data and messages, together or not at all. */
@FunctionalInterface
public interface TransactionAction<X extends Exception> {
    void run(OutboxTransaction tx) throws SQLException, X;
}
