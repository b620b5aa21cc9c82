package dev.postroom.outbox;

import dev.postroom.DatabaseException;
import dev.postroom.outbox.TransactionEnd.Ending;
import dev.postroom.spi.OwnConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs work in transactions on connections of their own. Thread-safe. */
final class OwnTransaction {
    private final DataSource dataSource;
    private final Outbox outbox;
    /** So that what is written by way of its connection belongs to the transaction too. */
    private final Map<Connection, OutboxTransaction> open = Collections.synchronizedMap(new IdentityHashMap<>());

    OwnTransaction(DataSource dataSource, Outbox outbox) {
        this.dataSource = dataSource;
        this.outbox = outbox;
    }

    <T extends @Nullable Object, X extends Exception> T run(TransactionWork<T, X> work) throws X {
        OutboxTransaction tx = null;
        Ending ending = Ending.ROLLED_BACK;
        try (OwnConnection own = OwnConnection.begin(dataSource, outbox.store())) {
            tx = new OutboxTransaction(outbox, own.connection());
            open.put(own.connection(), tx);
            T result;
            try {
                result = work.run(tx);
            } finally {
                open.remove(own.connection());
            }
            outbox.store().requireIntact(own.connection());
            ending = Ending.UNKNOWN;
            own.commit();
            ending = Ending.COMMITTED;
            return result;
        } catch (SQLException e) {
            throw new DatabaseException("the transaction failed: " + e.getMessage(), e);
        } finally {
            if (tx != null) {
                tx.ended(ending);
            }
        }
    }

    /** The transaction that is open on this connection, or null when it is not one of these. */
    @Nullable
    OutboxTransaction on(Connection connection) {
        return open.get(connection);
    }
}
