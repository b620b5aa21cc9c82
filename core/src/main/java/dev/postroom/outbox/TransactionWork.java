package dev.postroom.outbox;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What {@link Outbox#callInTransaction} runs: data and messages, together or not at all, and a result. */
@FunctionalInterface
public interface TransactionWork<T extends @Nullable Object, X extends Exception> {
    T run(OutboxTransaction tx) throws SQLException, X;
}
