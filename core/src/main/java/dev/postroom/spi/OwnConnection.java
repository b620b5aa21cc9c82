package dev.postroom.spi;

import dev.postroom.DatabaseException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A connection of a store's data source, in a transaction that Postroom begins and ends by itself. What is not committed when
 * it is closed is rolled back. Not thread-safe.
 */
public final class OwnConnection implements AutoCloseable {
    private final Connection connection;
    private final Store store;
    private boolean committed;

    private OwnConnection(Connection connection, Store store) {
        this.connection = connection;
        this.store = store;
    }

    /**
     * Takes a connection and begins a transaction on it.
     *
     * @throws DatabaseException when there is no connection, or none on which a transaction can begin
     */
    public static OwnConnection begin(DataSource dataSource, Store store) {
        OwnConnection own;
        try {
            own = new OwnConnection(dataSource.getConnection(), store);
        } catch (SQLException e) {
            throw DatabaseException.noConnection("could not begin a transaction", e);
        }
        try {
            store.takeOver(own.connection);
            own.connection.setAutoCommit(false);
            return own;
        } catch (SQLException e) {
            own.close();
            throw new DatabaseException("could not begin a transaction: " + e.getMessage(), e);
        } catch (RuntimeException
                | Error e) { // a store whose database was not there before may find that it cannot be used
            own.close();
            throw e;
        }
    }

    public Connection connection() {
        return connection;
    }

    public void commit() throws SQLException {
        connection.commit();
        committed = true;
    }

    /**
     * Whatever goes wrong here is kept quiet. After a commit the work is done, and an error would make the caller do it again;
     * otherwise it must not hide what went wrong before, and closing ends the transaction anyway.
     */
    @Override
    public void close() {
        try (connection) {
            if (!committed) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
            store.handBack(connection);
        } catch (SQLException | RuntimeException e) {
            // said above
        }
    }
}
