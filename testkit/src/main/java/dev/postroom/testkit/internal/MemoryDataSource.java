package dev.postroom.testkit.internal;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a database of H2 in this JVM's memory that lives by a clock of the test's. It is there until it is closed.
 * Thread-safe.
 */
public final class MemoryDataSource implements DataSource, AutoCloseable {
    private final String name =
            "POSTROOM_" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    private final String url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";

    private final AtomicBoolean closed = new AtomicBoolean();

    private MemoryDataSource() {}

    /** A new, empty database. */
    public static MemoryDataSource create(InstantSource clock) {
        MemoryDataSource database = new MemoryDataSource();
        if (DriverManager.drivers().noneMatch(database::isFor)) {
            throw new PostroomException(
                    "an in-memory database needs H2, which is not on the class path: add com.h2database:h2 in test scope");
        }
        DatabaseClocks.set(database.name, clock);
        database.run(DatabaseClocks.definition());
        return database;
    }

    private boolean isFor(java.sql.Driver driver) {
        try {
            return driver.acceptsURL(url);
        } catch (SQLException e) {
            return false;
        }
    }

    private void run(String sql) {
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new DatabaseException("the in-memory database refused '" + sql + "': " + e.getMessage(), e);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection("sa", "");
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        if (closed.get()) {
            throw new SQLException("the in-memory database is closed"); // H2 would make a new, empty one
        }
        Connection connection = DriverManager.getConnection(url, username, password);
        return ClockedConnection.of(connection, sql -> DatabaseClocks.byClockOf(name, sql));
    }

    /** Removes the database and everything in it; open connections end. A second call does nothing. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            run("SHUTDOWN IMMEDIATELY");
        } finally {
            DatabaseClocks.remove(name);
        }
    }

    /** What it is called, for the curious. */
    @Override
    public String toString() {
        return url;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("nothing is logged here");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("this data source is no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
