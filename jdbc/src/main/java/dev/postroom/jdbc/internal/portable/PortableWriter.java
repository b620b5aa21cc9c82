package dev.postroom.jdbc.internal.portable;

import dev.postroom.DeliveryTime;
import dev.postroom.Published;
import dev.postroom.jdbc.internal.Headers;
import dev.postroom.jdbc.internal.Micros;
import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.jdbc.internal.portable.WriteSql.Claim;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages with one INSERT of many rows. Where some have idempotency keys or given ids, statements before it take
 * these, and what is left over is inserted.
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
        Map<UUID, UUID> firsts = new HashMap<>();
        take(connection, without(firsts, messages), PortableWriter::ofKey, firsts);
        take(connection, without(firsts, messages), PortableWriter::ofId, firsts);
        Map<UUID, Written> written = insertAll(connection, without(firsts, messages));
        List<Published> results = new ArrayList<>(messages.size());
        for (NewMessage message : messages) {
            UUID first = firsts.get(message.id());
            results.add(
                    first == null
                            ? Objects.requireNonNull(written.get(message.id())).result(message)
                            : Published.existing(first, message.idempotencyKey()));
        }
        return results;
    }

    private static List<NewMessage> without(Map<UUID, UUID> firsts, List<NewMessage> messages) {
        return messages.stream()
                .filter(message -> !firsts.containsKey(message.id()))
                .toList();
    }

    /** Takes what these messages claim; for those that come too late, adds whose message was first to their ids. */
    private void take(
            Connection connection,
            List<NewMessage> messages,
            Function<NewMessage, @Nullable Claim> claimed,
            Map<UUID, UUID> firsts)
            throws SQLException {
        Map<DedupKey, Claim> inOrder = new TreeMap<>();
        for (NewMessage message : messages) {
            Claim claim = claimed.apply(message);
            if (claim != null) {
                inOrder.putIfAbsent(claim.key(), claim);
            }
        }
        if (inOrder.isEmpty()) {
            return;
        }
        Map<DedupKey, Taken> taken = sql.take(connection, List.copyOf(inOrder.values()));
        for (NewMessage message : messages) {
            Claim claim = claimed.apply(message);
            if (claim != null) {
                Taken first = Objects.requireNonNull(taken.get(claim.key()));
                if (first.before() || !first.messageId().equals(message.id())) {
                    firsts.put(message.id(), first.messageId());
                }
            }
        }
    }

    private static @Nullable Claim ofKey(NewMessage message) {
        NewMessage.Dedup dedup = message.dedup();
        return dedup == null
                ? null
                : new Claim(new DedupKey(message.stream().tenant(), dedup.key()), message.id(), dedup.window());
    }

    private static @Nullable Claim ofId(NewMessage message) {
        return message.idWindow() == null
                ? null
                : new Claim(DedupKey.ofId(message.id()), message.id(), message.idWindow());
    }

    private Map<UUID, Written> insertAll(Connection connection, List<NewMessage> messages) throws SQLException {
        Map<UUID, Written> written = new HashMap<>();
        int from = 0;
        while (from < messages.size()) {
            int to = endOfPacket(messages, from);
            insert(connection, messages.subList(from, to), written);
            from = to;
        }
        return written;
    }

    private record Written(int lane, long seq) {
        Published result(NewMessage message) {
            return new Published(message.id(), message.idempotencyKey(), false, lane, seq);
        }
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

    private void insert(Connection connection, List<NewMessage> messages, Map<UUID, Written> written)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert.of(messages.size()))) {
            Values values = new Values(statement);
            for (NewMessage message : messages) {
                bind(values, message);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    UUID id = row.getObject("id", UUID.class);
                    written.put(id, new Written(row.getInt("lane"), row.getLong("seq")));
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
