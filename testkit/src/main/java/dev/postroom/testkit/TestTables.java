package dev.postroom.testkit;

import dev.postroom.DatabaseException;
import dev.postroom.spi.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Does to an outbox's tables what only a test may do. The statements are such that every supported database understands them.
 */
record TestTables(DataSource dataSource, TableNames names) {
    private static final List<String> CONTENT =
            List.of("message", "attempt", "archive", "dedup", "inbox", "pause", "node");

    private String table(String name) {
        String schema = names.schema();
        return (schema == null ? "" : schema + ".") + names.prefix() + name;
    }

    /** Removes every message, and takes the lanes away from relays that are no more. */
    void empty() {
        inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String name : CONTENT) {
                    statement.executeUpdate("DELETE FROM " + table(name));
                }
                statement.executeUpdate("UPDATE " + table("lane")
                        + " SET owner = NULL, lease_until = NULL, reserved_from = 0, reserved_to = 0"
                        + " WHERE owner IS NOT NULL");
            }
        });
    }

    /** Nobody can set a real database's clock forward. So whatever waits in it waits so much less. */
    void bringForward(Duration by) {
        String select = "SELECT seq, available_at, retry_at FROM " + table("message")
                + " WHERE dead_at IS NULL AND (available_at IS NOT NULL OR retry_at IS NOT NULL)";
        String update = "UPDATE " + table("message") + " SET available_at = ?, retry_at = ? WHERE seq = ?";
        inTransaction(connection -> {
            try (Statement read = connection.createStatement();
                    ResultSet rows = read.executeQuery(select);
                    PreparedStatement write = connection.prepareStatement(update)) {
                while (rows.next()) {
                    write.setObject(1, earlier(rows.getObject(2), by));
                    write.setObject(2, earlier(rows.getObject(3), by));
                    write.setLong(3, rows.getLong(1));
                    write.addBatch();
                }
                write.executeBatch();
            }
        });
    }

    private static @Nullable Object earlier(@Nullable Object time, Duration by) {
        if (time instanceof OffsetDateTime zoned) {
            return zoned.minus(by);
        }
        return time instanceof Timestamp stamp
                ? Timestamp.valueOf(stamp.toLocalDateTime().minus(by))
                : time;
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private void inTransaction(Work work) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                work.on(connection);
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw new DatabaseException("the test kit could not change the outbox's tables: " + e.getMessage(), e);
        }
    }
}
