package dev.postroom.jdbc.internal.h2;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.spi.InboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The inbox in H2. */
final class H2Inbox implements InboxStore {
    /** While another open transaction has the record, H2 tries again and again (it does not sleep), up to LOCK_TIMEOUT. */
    private static final String RECORD = """
            MERGE INTO postroom_inbox i
            USING (VALUES (CAST(? AS VARCHAR), CAST(? AS VARCHAR))) k (consumer, message_id)
            ON i.consumer = k.consumer AND i.message_id = k.message_id
            WHEN NOT MATCHED THEN INSERT (consumer, message_id) VALUES (k.consumer, k.message_id)
            """;

    private static final String DUPLICATE_KEY = "23505";
    private static final String LOCK_TIMEOUT = "HYT00";
    private static final String SERIALIZATION_FAILURE = "40001";

    private final String record;

    H2Inbox(SqlNames names) {
        this.record = names.in(RECORD);
    }

    @Override
    public boolean record(Connection connection, String consumer, String messageId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(record)) {
            new Values(statement).text(consumer).text(messageId);
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            // Only above READ COMMITTED: the snapshot does not show the record, yet it is committed. H2 undoes the
            // statement, nothing else.
            if (DUPLICATE_KEY.equals(e.getSQLState())) {
                return false;
            }
            if (LOCK_TIMEOUT.equals(e.getSQLState())) {
                throw new SQLException(
                        "another transaction has kept the message for longer than LOCK_TIMEOUT, perhaps waiting for this"
                                + " one: run this one again",
                        SERIALIZATION_FAILURE,
                        e);
            }
            throw e;
        }
    }
}
