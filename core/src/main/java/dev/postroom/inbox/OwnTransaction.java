package dev.postroom.inbox;

import dev.postroom.DatabaseException;
import dev.postroom.spi.InboxStore;
import dev.postroom.spi.OwnConnection;
import dev.postroom.spi.Store;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Handles one message in a transaction on a connection of its own. */
final class OwnTransaction {
    /** Each time another delivery of the same message must have committed in between, so the second finds it. */
    private static final int MOST_TRIES = 5;

    private final DataSource dataSource;
    private final Store store;
    private final InboxStore inbox;

    OwnTransaction(DataSource dataSource, Store store) {
        this.dataSource = dataSource;
        this.store = store;
        this.inbox = store.inbox();
    }

    <X extends Exception> Handling handle(InboxKey key, InboxAction<X> handler) throws X {
        try (OwnConnection own = OwnConnection.begin(dataSource, store)) {
            if (!record(own.connection(), key)) {
                return Handling.DUPLICATE; // nothing was written, so there is nothing to commit
            }
            handler.run(new InboxTransaction(own.connection()));
            own.commit();
            return Handling.HANDLED;
        } catch (SQLException e) {
            throw new DatabaseException("the transaction of a message failed: " + e.getMessage(), e);
        }
    }

    /** A serialization failure here costs nobody anything: the handler has not begun. */
    private boolean record(Connection connection, InboxKey key) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return inbox.record(connection, key.consumer(), key.messageId());
            } catch (SQLException e) {
                DatabaseException failure =
                        new DatabaseException("could not record a message in the inbox: " + e.getMessage(), e);
                if (!failure.isRetryable() || attempt == MOST_TRIES) {
                    throw failure;
                }
                connection.rollback();
            }
        }
    }
}
