package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Inserts a unique key that other open transactions may be inserting too, so that only one of those who wait for it does
 * so inside InnoDB. If several wait there and the first one rolls back, each of them inherits a lock on the gap that its
 * row leaves, none may insert any more, and all but one lose their transactions to a deadlock.
 *
 * <p>First the insert is tried without waiting; that is all it takes as long as nobody else is at that key, and also when
 * this transaction took it itself. Otherwise a user-level lock lets those who wait in one by one. It is held for the one
 * statement only, so whoever is let in may have to wait for the transaction of who was before it.
 */
final class KeyGate {
    /**
     * Before an insert: it fails at once with {@link #LOCKED} instead of waiting. Where the server undoes the whole
     * transaction then, which is not its default, the insert waits as usual.
     */
    static final String AT_ONCE = "SET STATEMENT innodb_lock_wait_timeout ="
            + " IF(@@innodb_rollback_on_timeout, @@innodb_lock_wait_timeout, 0) FOR ";

    private static final int LOCKED = 1205;

    /** The procedure {@code postroom_publish} calls its gates the same. */
    private static final String NAME = "CONCAT('postroom:', SHA1(CONCAT_WS(':', {database}, '{table}', ?, ?)))";

    private final String enter;
    private final String leave;

    /** @param table without its prefix; two columns make its key */
    KeyGate(SqlNames names, String table) {
        String schema = names.names().schema();
        String name = NAME.replace("{database}", schema == null ? "DATABASE()" : "'" + schema + "'")
                .replace("{table}", names.names().prefix() + table);
        // Nobody waits here for longer than InnoDB would have let it wait.
        this.enter = "SELECT GET_LOCK(" + name + ", @@innodb_lock_wait_timeout) AS entered";
        this.leave = "DO RELEASE_LOCK(" + name + ")";
    }

    /** The two parts of a key. */
    record Key(String first, String second) {}

    /** Inserts a key with a statement that waits or, with {@link #AT_ONCE} before it, does not. */
    @FunctionalInterface
    interface Insert<T> {
        T with(boolean waiting) throws SQLException;
    }

    <T> T take(Connection connection, Key key, Insert<T> insert) throws SQLException {
        try {
            return insert.with(false);
        } catch (SQLException e) {
            if (!wouldHaveWaited(connection, e) || !entered(connection, key)) {
                throw e;
            }
        }
        T taken;
        try {
            taken = insert.with(true);
        } catch (SQLException e) {
            leaveQuietly(connection, key, e);
            throw e;
        }
        leave(connection, key);
        return taken;
    }

    /** Whether an insert failed only because it must not wait: it is undone, and its transaction goes on. */
    static boolean wouldHaveWaited(Connection connection, SQLException e) throws SQLException {
        if (e.getErrorCode() != LOCKED) {
            return false;
        }
        // Where that ends the transaction, the insert did wait, and going on would be without what the caller wrote.
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@innodb_rollback_on_timeout AS undone")) {
            return row.next() && !row.getBoolean("undone");
        }
    }

    private boolean entered(Connection connection, Key key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(enter)) {
            new Values(statement).text(key.first()).text(key.second());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getInt("entered") == 1;
            }
        }
    }

    private void leave(Connection connection, Key key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(leave)) {
            new Values(statement).text(key.first()).text(key.second());
            statement.execute();
        }
    }

    /** A connection that cannot say this any more is broken, and the server leaves the gate for it. */
    private void leaveQuietly(Connection connection, Key key, SQLException cause) {
        try {
            leave(connection, key);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
