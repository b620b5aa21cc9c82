package dev.postroom.outbox;

import dev.postroom.DatabaseException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs work in a transaction on a connection of its own. */
final class OwnTransaction {
    private final DataSource dataSource;
    private final Outbox outbox;

    OwnTransaction(DataSource dataSource, Outbox outbox) {
        this.dataSource = dataSource;
        this.outbox = outbox;
    }

    <T extends @Nullable Object, X extends Exception> T run(TransactionWork<T, X> work) throws X {
        Connection connection = begin();
        OutboxTransaction tx = new OutboxTransaction(outbox, connection);
        T result;
        boolean committed = false;
        try {
            result = work.run(tx);
            connection.commit();
            committed = true;
        } catch (SQLException e) {
            throw new DatabaseException("the transaction failed: " + e.getMessage(), e);
        } finally {
            giveBack(connection, committed);
        }
        outbox.hint(tx.published());
        return result;
    }

    private Connection begin() {
        Connection connection = null;
        try {
            connection = dataSource.getConnection();
            outbox.store().takeOver(connection);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            if (connection == null) {
                throw DatabaseException.noConnection("could not begin a transaction", e);
            }
            giveBack(connection, false);
            throw new DatabaseException("could not begin a transaction: " + e.getMessage(), e);
        }
    }

    /**
     * Whatever goes wrong here is kept quiet. After a commit the work is done, and an error would make the caller do it
     * again; otherwise it must not hide what went wrong before, and closing ends the transaction anyway.
     */
    private void giveBack(Connection connection, boolean committed) {
        try (connection) {
            if (!committed) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
            outbox.store().handBack(connection);
        } catch (SQLException e) {
            // said above
        }
    }
}
