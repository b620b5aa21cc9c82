package dev.postroom.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection that is kept open for many calls, set up once, and replaced after any error: after an error nobody
 * knows what state it is in. Not thread-safe, apart from {@link #close()} and {@link #cancel()}.
 */
public final class Session implements AutoCloseable {
    private final DataSource dataSource;
    private final Setup setup;
    private final LatestStatement latest = new LatestStatement();
    private volatile @Nullable Connection connection;
    private volatile int ownNetworkTimeout;

    public Session(DataSource dataSource, Setup setup) {
        this.dataSource = dataSource;
        this.setup = setup;
    }

    /**
     * What is said to the database when the connection is opened, and before it goes back to a pool.
     *
     * @param networkTimeout how long an answer may take before the connection is given up, or null for the driver's own
     */
    public record Setup(
            List<String> open, List<String> close, @Nullable Duration networkTimeout) {
        public Setup(List<String> open, List<String> close) {
            this(open, close, null);
        }

        public Setup withNetworkTimeout(Duration timeout) {
            return new Setup(open, close, timeout);
        }
    }

    /** Work on a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Runs work in auto-commit mode: every statement is a transaction. */
    public <T> T call(String what, Work<T> work) {
        try {
            return work.on(open());
        } catch (SQLException | RuntimeException | Error e) {
            discard();
            throw explain(what, e);
        }
    }

    /** Runs work in one transaction. */
    public <T> T transaction(String what, Work<T> work) {
        try {
            Connection open = open();
            open.setAutoCommit(false);
            T result = work.on(open);
            open.commit();
            open.setAutoCommit(true);
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            discard();
            throw explain(what, e);
        }
    }

    private static RuntimeException explain(String what, Throwable e) {
        if (e instanceof SQLException sql) {
            return Refusals.explained(what, sql);
        }
        if (e instanceof Error error) {
            throw error;
        }
        return (RuntimeException) e;
    }

    private Connection open() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = latest.on(dataSource.getConnection());
            connection = open;
            limitSilence(open);
            open.setAutoCommit(true);
            execute(open, setup.open());
        }
        return open;
    }

    private void limitSilence(Connection open) throws SQLException {
        Duration timeout = setup.networkTimeout();
        if (timeout != null) {
            ownNetworkTimeout = open.getNetworkTimeout();
            open.setNetworkTimeout(Runnable::run, Math.toIntExact(Math.max(1, timeout.toMillis())));
        }
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Closes after an error: rolled back, and without the courtesies that a broken connection would only hang on. */
    private void discard() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                if (!broken.getAutoCommit()) {
                    broken.rollback();
                }
                execute(broken, setup.close());
                if (setup.networkTimeout() != null) {
                    broken.setNetworkTimeout(Runnable::run, ownNetworkTimeout);
                }
            } catch (SQLException e) {
                abort(broken);
            } finally {
                closeQuietly(broken);
            }
        }
    }

    /** A pool must not hand out again what could not be reset. */
    private static void abort(Connection broken) {
        try {
            broken.abort(Runnable::run);
        } catch (SQLException e) {
            // it is being closed anyway
        }
    }

    private static void closeQuietly(Connection broken) {
        try {
            broken.close();
        } catch (SQLException e) {
            // nothing more can be done with it
        }
    }

    /** Asks the database to break off the statement that another thread is waiting for, which then fails. */
    public void cancel() {
        latest.cancel();
    }

    @Override
    public void close() {
        discard();
    }
}
