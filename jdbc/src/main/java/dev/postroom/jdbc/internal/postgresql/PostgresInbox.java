package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.spi.InboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The inbox in PostgreSQL. */
final class PostgresInbox implements InboxStore {
    /** Without naming the columns of the conflict, which would need the right to read them. */
    private static final String RECORD = """
            INSERT INTO postroom_inbox (consumer, message_id) VALUES (?, ?)
            ON CONFLICT DO NOTHING
            """;

    private final String record;

    PostgresInbox(SqlNames names) {
        this.record = names.in(RECORD);
    }

    @Override
    public boolean record(Connection connection, String consumer, String messageId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(record)) {
            new Values(statement).text(consumer).text(messageId);
            return statement.executeUpdate() == 1;
        }
    }
}
