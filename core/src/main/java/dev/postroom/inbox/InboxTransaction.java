package dev.postroom.inbox;

import java.sql.Connection;

/** The transaction that a handler's writes go into, together with the record that it ran. For one thread. */
public final class InboxTransaction {
    private final Connection connection;

    InboxTransaction(Connection connection) {
        this.connection = connection;
    }

    /** The connection to write with; commit, rollback and close are not the caller's. */
    public Connection connection() {
        return connection;
    }
}
