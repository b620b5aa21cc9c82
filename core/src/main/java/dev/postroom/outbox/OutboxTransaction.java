package dev.postroom.outbox;

import dev.postroom.Message;
import dev.postroom.Published;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** A transaction that {@link Outbox#inTransaction} opened. For one thread, until the work returns. */
public final class OutboxTransaction {
    private final Outbox outbox;
    private final Connection connection;
    private final List<TransactionEnd> ends = new ArrayList<>();

    OutboxTransaction(Outbox outbox, Connection connection) {
        this.outbox = outbox;
        this.connection = connection;
    }

    /** The connection to write the data with; commit, rollback and close are not the caller's. */
    public Connection connection() {
        return connection;
    }

    /** Writes the message in this transaction. */
    public Published publish(Message message) {
        return publishAll(List.of(message)).get(0);
    }

    /** Writes the messages in this transaction, in one round trip. */
    public List<Published> publishAll(List<Message> messages) {
        return outbox.publishAll(connection, messages);
    }

    void atEnd(TransactionEnd end) {
        ends.add(end);
    }

    void ended(TransactionEnd.Ending ending) {
        ends.forEach(end -> end.ended(ending));
    }
}
