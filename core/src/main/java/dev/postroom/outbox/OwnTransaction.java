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
        OutboxTransaction tx;
        T result;
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            tx = new OutboxTransaction(outbox, connection);
            result = runAndCommit(work, tx);
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            throw new DatabaseException("the transaction failed: " + e.getMessage(), e);
        }
        outbox.hint(tx.published());
        return result;
    }

    private static <T extends @Nullable Object, X extends Exception> T runAndCommit(
            TransactionWork<T, X> work, OutboxTransaction tx) throws SQLException, X {
        boolean committed = false;
        try {
            T result = work.run(tx);
            tx.connection().commit();
            committed = true;
            return result;
        } finally {
            if (!committed) {
                // A failing rollback must not hide what went wrong; closing the connection ends the transaction anyway.
                rollbackQuietly(tx.connection());
            }
        }
    }

    private static void rollbackQuietly(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // said above
        }
    }
}
