package dev.postroom.inbox;

import dev.postroom.DatabaseException;
import dev.postroom.spi.OwnConnection;
import dev.postroom.spi.Store;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Transactions on connections of their own. */
final class OwnTransactions implements InboxTransactions {
    private final DataSource dataSource;
    private final Store store;

    OwnTransactions(DataSource dataSource, Store store) {
        this.dataSource = dataSource;
        this.store = store;
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
        try (OwnConnection own = OwnConnection.begin(dataSource, store)) {
            T result = work.run(own.connection());
            own.commit();
            return result;
        } catch (SQLException e) {
            throw new DatabaseException("the transaction of a message failed: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean beginsAnew() {
        return true;
    }
}
