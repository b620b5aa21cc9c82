package dev.postroom.jdbc.internal.portable;

import dev.postroom.DeliveryTime;
import dev.postroom.Published;
import dev.postroom.jdbc.internal.Headers;
import dev.postroom.jdbc.internal.Micros;
import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.jdbc.internal.portable.WriteSql.DedupKey;
import dev.postroom.jdbc.internal.portable.WriteSql.Taken;
import dev.postroom.spi.Content;
import dev.postroom.spi.MessageWriter;
import dev.postroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages with one INSERT of many rows. Where some have idempotency keys, one statement before it takes these,
 * and what is left over is inserted.
 */
public final class PortableWriter implements MessageWriter {
    private static final int MOST_ROWS = 256;
    /** Below the packet that MariaDB accepts by default, 16 MiB, also when every byte needs an escape. */
    private static final long MOST_BYTES = 4 << 20;

    private final WriteSql sql;
    private final Timestamps timestamps;
    private final SizedSql insert;

    public PortableWriter(WriteSql sql, Timestamps timestamps, SqlNames names) {
        this.sql = sql;
        this.timestamps = timestamps;
        this.insert = new SizedSql(names, sql::insert);
    }

    @Override
    public List<Published> write(Connection connection, List<NewMessage> messages) throws SQLException {
        Map<DedupKey, NewMessage> firsts = firstOfEachKey(messages);
        Map<DedupKey, Taken> taken = firsts.isEmpty() ? Map.of() : sql.take(connection, List.copyOf(firsts.values()));
        List<Published> results = new ArrayList<>(messages.size());
        List<NewMessage> remaining = new ArrayList<>(messages.size());
        for (NewMessage message : messages) {
            DedupKey key = key(message);
            Taken first = key == null ? null : taken.get(key);
            // Removed at its first message, so that a later one with the same key finds that it comes too late.
            if (first != null && (firsts.remove(key) == null || first.before())) {
                results.add(Published.existing(first.messageId()));
            } else {
                results.add(new Published(message.id(), false, -1, -1));
                remaining.add(message);
            }
        }
        Map<UUID, Published> written = insertAll(connection, remaining);
        results.replaceAll(result -> result.alreadyExisted() ? result : written.getOrDefault(result.id(), result));
        return results;
    }

    /** In order of the keys. */
    private static Map<DedupKey, NewMessage> firstOfEachKey(List<NewMessage> messages) {
        Map<DedupKey, NewMessage> firsts = new TreeMap<>();
        for (NewMessage message : messages) {
            DedupKey key = key(message);
            if (key != null) {
                firsts.putIfAbsent(key, message);
            }
        }
        return firsts;
    }

    private static @Nullable DedupKey key(NewMessage message) {
        NewMessage.Dedup dedup = message.dedup();
        return dedup == null ? null : new DedupKey(message.stream().tenant(), dedup.key());
    }

    private Map<UUID, Published> insertAll(Connection connection, List<NewMessage> messages) throws SQLException {
        Map<UUID, Published> written = new HashMap<>();
        int from = 0;
        while (from < messages.size()) {
            int to = endOfPacket(messages, from);
            insert(connection, messages.subList(from, to), written);
            from = to;
        }
        return written;
    }

    private static int endOfPacket(List<NewMessage> messages, int from) {
        int to = from;
        long bytes = 0;
        while (to < messages.size() && to - from < MOST_ROWS) {
            byte[] payload = messages.get(to).content().payload();
            bytes += payload == null ? 0 : payload.length;
            if (bytes > MOST_BYTES && to > from) {
                break;
            }
            to++;
        }
        return to;
    }

    private void insert(Connection connection, List<NewMessage> messages, Map<UUID, Published> written)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert.of(messages.size()))) {
            Values values = new Values(statement);
            for (NewMessage message : messages) {
                bind(values, message);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    UUID id = row.getObject("id", UUID.class);
                    written.put(id, new Published(id, false, row.getInt("lane"), row.getLong("seq")));
                }
            }
        }
    }

    private void bind(Values values, NewMessage message) throws SQLException {
        Content content = message.content();
        DeliveryTime time = message.deliveryTime();
        values.id(message.id())
                .text(message.stream().tenant())
                .text(message.stream().topic())
                .text(message.stream().key())
                .text(content.type())
                .text(content.contentType())
                .text(content.contentEncoding())
                .text(Headers.write(content.headers()))
                .bytes(content.payload())
                .text(content.source())
                .time(timestamps, time instanceof DeliveryTime.At at ? at.instant() : null)
                .number(time instanceof DeliveryTime.After after ? (Long) Micros.of(after.delay()) : null);
    }
}
