package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.spi.InboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The inbox in MariaDB. */
final class MariaDbInbox implements InboxStore {
    /**
     * A record that is there is locked for writing at once. INSERT IGNORE, or a duplicate key error, would lock it for
     * reading, and two who have that lock and want more are a deadlock. See {@link KeyGate} for those who have to wait.
     *
     * <p>The count of rows tells which it was: 1 for a new row, 2 for one that was changed. It must really change, if
     * only by a microsecond, since one that was found and left as it is counts 1 or 0, as the driver is set.
     */
    private static final String RECORD = """
            INSERT INTO postroom_inbox (consumer, message_id) VALUES (?, ?)
            ON DUPLICATE KEY UPDATE handled_at = handled_at + INTERVAL 1 MICROSECOND
            """;

    private final String record;
    private final String recordAtOnce;
    private final KeyGate gate;

    MariaDbInbox(SqlNames names) {
        this.record = names.in(RECORD);
        this.recordAtOnce = KeyGate.AT_ONCE + record;
        this.gate = new KeyGate(names, "inbox");
    }

    @Override
    public boolean record(Connection connection, String consumer, String messageId) throws SQLException {
        return gate.take(
                connection,
                new KeyGate.Key(consumer, messageId),
                waiting -> insert(connection, waiting ? record : recordAtOnce, consumer, messageId));
    }

    private static boolean insert(Connection connection, String record, String consumer, String messageId)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(record)) {
            new Values(statement).text(consumer).text(messageId);
            return statement.executeUpdate() == 1;
        }
    }
}
