package dev.postroom.server.database;

import dev.postroom.server.settings.DatabaseSettings;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection each time. A command makes one or two and ends, so a pool would only cost time. A connection that
 * cannot be had is explained with what to do, as a {@link dev.postroom.DatabaseException}. Thread-safe.
 *
 * <p>A database in a file is opened with its first connection and closed, which takes longer, with its last. One more is
 * therefore held until {@link #close()}, so that a command does this once and not for every connection.
 */
public final class DriverDataSource implements DataSource, AutoCloseable {
    private static final int CONNECT_SECONDS = 10;

    private final DatabaseSettings settings;
    private final boolean mayCreate;
    private final Optional<H2File> file;
    private @Nullable Connection held;

    /** With {@code mayCreate} a database file that is not there yet is made, where the database is a file. */
    public DriverDataSource(DatabaseSettings settings, boolean mayCreate) {
        this.settings = settings;
        this.mayCreate = mayCreate;
        this.file = H2File.of(settings.url());
    }

    @Override
    public synchronized Connection getConnection() {
        if (held == null && file.isPresent()) {
            held = connect(settings.username(), password());
            file.get().close();
        }
        return connect(settings.username(), password());
    }

    @Override
    public Connection getConnection(String username, String password) {
        return connect(username, password);
    }

    private Connection connect(@Nullable String username, @Nullable String password) {
        try {
            Driver driver = Drivers.forUrl(settings.url()).orElseThrow(() -> ConnectionFailure.unknownUrl(settings));
            Connection connection = driver.connect(url(), properties(username, password));
            if (connection == null) {
                throw ConnectionFailure.unknownUrl(settings);
            }
            return connection;
        } catch (SQLException e) {
            throw ConnectionFailure.explain(settings, e);
        }
    }

    /** The settings' password, or where they have none the one that is kept beside a database file. */
    private @Nullable String password() {
        return settings.password() == null && settings.username() != null
                ? file.map(kept -> kept.password(mayCreate)).orElse(null)
                : settings.password();
    }

    /** A command that only looks must not leave an empty database behind because somebody is in another folder. */
    private String url() {
        return file.isPresent() && !mayCreate ? settings.url() + ";IFEXISTS=TRUE" : settings.url();
    }

    /** Lets the database go; connections that others still have stay open. */
    @Override
    public synchronized void close() {
        try {
            if (held != null) {
                held.close();
            }
        } catch (SQLException e) {
            // nothing was done on it, so nothing is lost, and the command has its answer already
        } finally {
            held = null;
        }
    }

    private Properties properties(@Nullable String username, @Nullable String password) {
        Properties properties = new Properties();
        if (username != null) {
            properties.setProperty("user", username);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        if (settings.url().startsWith("jdbc:postgresql:")) {
            properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
            properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS));
            properties.setProperty("ApplicationName", "postroom");
        } else if (settings.url().startsWith("jdbc:mariadb:")) {
            properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS * 1000));
        }
        return properties;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("drivers log through SLF4J or not at all");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("the timeout is fixed at " + CONNECT_SECONDS + " s");
    }

    @Override
    public int getLoginTimeout() {
        return CONNECT_SECONDS;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("java.util.logging is not used");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("this wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
