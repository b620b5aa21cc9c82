package dev.postroom.jdbc.internal;

import dev.postroom.Published;
import dev.postroom.spi.MessageWriter;
import dev.postroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Holds back messages whose ids the callers chose and that are there already, waiting or archived. Who publishes such an
 * id at the same moment is told from this one by the writer, which claims it as it takes idempotency keys. Ids that were
 * drawn cost nothing here.
 */
public final class GivenIds implements MessageWriter {
    private static final int MOST_IDS = 256;

    private final MessageWriter writer;
    private final SizedSql live;
    private final SizedSql archived;

    public GivenIds(MessageWriter writer, SqlNames names) {
        this.writer = writer;
        this.live = find(names, "postroom_message");
        this.archived = find(names, "postroom_archive");
    }

    private static SizedSql find(SqlNames names, String table) {
        return new SizedSql(
                names, ids -> "SELECT t.id FROM " + table + " t WHERE t.id IN (?" + ", ?".repeat(ids - 1) + ")");
    }

    @Override
    public List<Published> write(Connection connection, List<NewMessage> messages) throws SQLException {
        List<UUID> given = messages.stream()
                .filter(message -> message.idWindow() != null)
                .map(NewMessage::id)
                .distinct()
                .toList();
        return given.isEmpty()
                ? writer.write(connection, messages)
                : write(connection, messages, existing(connection, given));
    }

    /** What repeats an id of the same call is looked at after that: whether the first was written depends on its key too. */
    private List<Published> write(Connection connection, List<NewMessage> messages, Set<UUID> existing)
            throws SQLException {
        Published[] results = new Published[messages.size()];
        List<Integer> fresh = new ArrayList<>();
        List<Integer> repeats = new ArrayList<>();
        Set<UUID> seen = new HashSet<>();
        for (int i = 0; i < results.length; i++) {
            NewMessage message = messages.get(i);
            if (message.idWindow() != null && existing.contains(message.id())) {
                results[i] = Published.existing(message.id(), message.idempotencyKey());
            } else {
                (message.idWindow() == null || seen.add(message.id()) ? fresh : repeats).add(i);
            }
        }
        fill(results, fresh, writer, connection, messages);
        fill(results, repeats, this, connection, messages);
        return List.of(results);
    }

    private static void fill(
            Published[] results,
            List<Integer> places,
            MessageWriter writer,
            Connection connection,
            List<NewMessage> messages)
            throws SQLException {
        if (!places.isEmpty()) {
            Iterator<Published> written = writer.write(
                            connection, places.stream().map(messages::get).toList())
                    .iterator();
            places.forEach(place -> results[place] = written.next());
        }
    }

    /** First among those that wait, then in the archive: a message that moves from one to the other meanwhile is found. */
    private Set<UUID> existing(Connection connection, List<UUID> ids) throws SQLException {
        Set<UUID> existing = new HashSet<>();
        for (int from = 0; from < ids.size(); from += MOST_IDS) {
            List<UUID> some = ids.subList(from, Math.min(ids.size(), from + MOST_IDS));
            find(connection, live, some, existing);
            find(connection, archived, some, existing);
        }
        return existing;
    }

    private static void find(Connection connection, SizedSql sql, List<UUID> ids, Set<UUID> found) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.of(ids.size()))) {
            Values values = new Values(statement);
            for (UUID id : ids) {
                values.id(id);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(row.getObject("id", UUID.class));
                }
            }
        }
    }
}
