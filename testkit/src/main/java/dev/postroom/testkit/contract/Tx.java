package dev.postroom.testkit.contract;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.Published;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One transaction of an application, on a connection of its own; what is not committed is rolled back by closing. */
final class Tx implements AutoCloseable {
    private final StoreUnderTest store;
    private final Connection connection;

    Tx(StoreUnderTest store, Connection connection) {
        this.store = store;
        this.connection = connection;
    }

    /** Waits for others' locks as long as it takes: H2 gives up after two seconds, in which a busy machine may do nothing. */
    Tx patient() {
        if (store.kind() == DatabaseUnderTest.Kind.H2) {
            execute("SET LOCK_TIMEOUT 30000");
        }
        return this;
    }

    Connection connection() {
        return connection;
    }

    Published publish(Message message) {
        return publish(List.of(message)).get(0);
    }

    List<Published> publish(List<Message> messages) {
        return store.outbox().publishAll(connection, messages);
    }

    /** Writes a row of the application's own; also gives the transaction its id, where a database has such. */
    Tx writeData(int id) {
        execute("INSERT INTO postroom_orders (id) VALUES (?)", id);
        return this;
    }

    int execute(String sql, @Nullable Object... parameters) {
        return Sql.update(connection, store.sql(sql), parameters);
    }

    @Nullable
    String value(String sql, @Nullable Object... parameters) {
        return Sql.value(connection, store.sql(sql), parameters);
    }

    Savepoint savepoint() {
        return call(connection::setSavepoint);
    }

    void rollbackTo(Savepoint savepoint) {
        run(() -> connection.rollback(savepoint));
    }

    void commit() {
        run(connection::commit);
    }

    void rollback() {
        run(connection::rollback);
    }

    @Override
    public void close() {
        run(() -> {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.close();
            }
        });
    }

    private interface SqlAction {
        void run() throws SQLException;
    }

    private interface SqlCall<T> {
        T call() throws SQLException;
    }

    private static void run(SqlAction action) {
        call(() -> {
            action.run();
            return true;
        });
    }

    private static <T> T call(SqlCall<T> work) {
        try {
            return work.call();
        } catch (SQLException e) {
            throw new DatabaseException(String.valueOf(e.getMessage()), e);
        }
    }
}
