package dev.postroom.fuzz.rest;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A tenant's messages in every state.
 *
 * @param marker a text that is in everything of theirs and nowhere else
 * @param redacted a text in what is redacted, which takes a permission to see
 * @param ids first one that waits, then a dead one, one blocked behind it, a delayed and an archived one
 */
record Messages(String tenant, String marker, String redacted, List<UUID> ids) {

    static Messages write(DataSource dataSource, String tenant) throws SQLException {
        String marker = "of-" + UUID.randomUUID();
        String redacted = "hidden-" + UUID.randomUUID();
        Outbox outbox = Outbox.on(dataSource);
        List<UUID> ids = new ArrayList<>();
        for (String key : new String[] {"1", "2", "2", "3", "4"}) {
            Message message = Message.to("orders")
                    .tenant(tenant)
                    .key(key + marker)
                    .type("type-" + marker)
                    .source("/" + marker)
                    .header("x-mark", marker)
                    .header("authorization", "Bearer " + redacted)
                    .idempotencyKey(UUID.randomUUID().toString())
                    .text("application/json", "{\"of\":\"" + marker + "\"}");
            ids.add(outbox.publishInOwnTransaction(key.equals("3") ? message.deliverAfter(Duration.ofDays(1)) : message)
                    .id());
        }
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE postroom_message SET dead_at = CURRENT_TIMESTAMP, failed_at = CURRENT_TIMESTAMP,"
                    + " attempts = 3, reason = 'HANDLER_EXCEPTION', error = 'no " + marker + "' WHERE id = '"
                    + ids.get(1) + "'");
            statement.execute("INSERT INTO postroom_attempt (message_id, attempt, reason, error, destination, node)"
                    + " VALUES ('" + ids.get(1) + "', 3, 'HANDLER_EXCEPTION', 'no " + marker + "', 'out', 'n')");
            String same = "seq, id, created_at, available_at, attempts, crashes, lane, tenant, topic, ordering_key,"
                    + " type, content_type, content_encoding, source, headers, payload";
            statement.execute("INSERT INTO postroom_archive (outcome, " + same + ") SELECT 0, " + same
                    + " FROM postroom_message WHERE id = '" + ids.get(4) + "'");
            statement.execute("DELETE FROM postroom_message WHERE id = '" + ids.get(4) + "'");
        }
        return new Messages(tenant, marker, redacted, List.copyOf(ids));
    }
}
