package dev.postroom.outbox;

import dev.postroom.DatabaseException;
import dev.postroom.spi.OwnConnection;
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
        try (OwnConnection own = OwnConnection.begin(dataSource, outbox.store())) {
            tx = new OutboxTransaction(outbox, own.connection());
            result = work.run(tx);
            own.commit();
        } catch (SQLException e) {
            throw new DatabaseException("the transaction failed: " + e.getMessage(), e);
        }
        outbox.hint(tx.published());
        return result;
    }
}
