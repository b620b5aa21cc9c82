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
    private volatile boolean setUp;
    private volatile @Nullable Shared shared;

    public Session(DataSource dataSource, Setup setup) {
        this.dataSource = dataSource;
        this.setup = setup;
    }

    /**
     * What is said to the database when the connection is opened, and before it goes back to a pool.
     *
     * @param networkTimeout how long an answer may take before the connection is given up, or null for the driver's own
     * @param sharing what is done instead where the server's session is shared with others
     */
    public record Setup(
            List<String> open, List<String> close, @Nullable Duration networkTimeout, Sharing sharing) {
        public Setup(List<String> open, List<String> close) {
            this(open, close, Sharing.NEVER);
        }

        public Setup(List<String> open, List<String> close, Sharing sharing) {
            this(open, close, null, sharing);
        }

        public Setup withNetworkTimeout(Duration timeout) {
            return new Setup(open, close, timeout, sharing);
        }
    }

    /** Looks whether a connection's session in the server is its own. */
    @FunctionalInterface
    public interface Sharing {
        /** For databases that are always reached directly. */
        Sharing NEVER = connection -> null;

        /** The connection made ready for a session that is shared with others, or null for one of its own. */
        @Nullable
        Shared recognise(Connection connection) throws SQLException;
    }

    /**
     * Where a pooler stands before the server, each transaction of a connection may go to another session, and what was said
     * to a session reaches whoever comes next. So nothing is said but what ends with the transaction.
     */
    public interface Shared {
        /** What is said at the beginning of each transaction, and ends with it. */
        List<String> eachTransaction();

        /** Makes the connection what it was before. */
        void restore(Connection connection) throws SQLException;
    }

    /** Work on a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Runs work in auto-commit mode, where every statement is a transaction; in one if the session is shared. */
    public <T> T call(String what, Work<T> work) {
        try {
            Connection open = open();
            return shared != null ? inTransaction(open, work) : work.on(open);
        } catch (SQLException | RuntimeException | Error e) {
            discard();
            throw explain(what, e);
        }
    }

    /** Runs work in one transaction. */
    public <T> T transaction(String what, Work<T> work) {
        try {
            return inTransaction(open(), work);
        } catch (SQLException | RuntimeException | Error e) {
            discard();
            throw explain(what, e);
        }
    }

    private <T> T inTransaction(Connection open, Work<T> work) throws SQLException {
        open.setAutoCommit(false);
        Shared session = shared;
        if (session != null) {
            execute(open, session.eachTransaction());
        }
        T result = work.on(open);
        open.commit();
        open.setAutoCommit(true);
        return result;
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
            setUp = false;
            limitSilence(open);
            open.setAutoCommit(true);
            shared = setup.sharing().recognise(open);
            setUp = true;
            if (shared == null) {
                execute(open, setup.open());
            }
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
                if (setUp) {
                    undoSetup(broken);
                }
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

    private void undoSetup(Connection open) throws SQLException {
        Shared session = shared;
        if (session == null) {
            execute(open, setup.close());
        } else {
            session.restore(open);
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
