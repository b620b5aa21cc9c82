package dev.postroom.jdbc.internal.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Whether every statement of a connection is a transaction. The driver knows what the server told it when they connected,
 * and servers before 10.6.17, 10.11.7, 11.0.5, 11.1.4 and 11.2.3 told it that auto-commit is on also where {@code
 * autocommit=0} is set for all sessions. It then believes so even after {@code setAutoCommit(false)}, which changes nothing
 * in the server.
 */
final class AutoCommit {
    private AutoCommit() {}

    /** Asks the server where the driver says so; where the driver denies it, it is right. */
    static boolean isOn(Connection connection) throws SQLException {
        return connection.getAutoCommit() && isOnInServer(connection);
    }

    /** Ends the transaction that a statement began though the driver says that there are none; does nothing else. */
    static void endUnnoticed(Connection connection) throws SQLException {
        if (connection.getAutoCommit() && !isOnInServer(connection)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ROLLBACK");
            }
        }
    }

    private static boolean isOnInServer(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@SESSION.autocommit AS is_on")) {
            return row.next() && row.getBoolean("is_on");
        }
    }
}
