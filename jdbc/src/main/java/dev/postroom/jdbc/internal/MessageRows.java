package dev.postroom.jdbc.internal;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Maps live rows as the relay reads them. A statement returns these columns in this order: id, lane, seq, state, tenant,
 * topic, ordering_key, type, content_type, content_encoding, headers (as text), source, only_destination, created_at, due,
 * attempts, crashes, completed, released, version, payload_bytes, payload (null when above the read's limit), held,
 * earlier_seq. By place and not by name, because this is done for every message.
 */
public final class MessageRows {
    private final Timestamps timestamps;

    public MessageRows(Timestamps timestamps) {
        this.timestamps = timestamps;
    }

    /** Runs a query and maps all of its rows. */
    public List<StoredMessage> query(PreparedStatement statement) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                messages.add(map(rows));
            }
        }
        return messages;
    }

    /** A row that cannot be read has a defect: it must not keep the others from being read. */
    public StoredMessage map(ResultSet row) throws SQLException {
        RowKey key = new RowKey(row.getInt(2), row.getLong(3), row.getObject(1, UUID.class));
        try {
            return map(row, key);
        } catch (SQLException e) {
            if (!Refusals.isData(e) && !(e instanceof SQLDataException)) {
                throw e;
            }
            return unreadable(row, key, e);
        } catch (RuntimeException e) {
            return unreadable(row, key, e);
        }
    }

    /** What it takes to make a dead letter of it, from columns that are always read. */
    private static StoredMessage unreadable(ResultSet row, RowKey key, Exception why) throws SQLException {
        RowState state = RowState.of(row.getInt(4));
        return new StoredMessage(
                key,
                new Stream(row.getString(5), row.getString(6), row.getString(7)),
                new Content(null, "application/octet-stream", null, Map.of(), null, null),
                new StoredMessage.Progress(
                        state,
                        row.getInt(16),
                        row.getInt(17),
                        row.getLong(18),
                        row.getBoolean(19),
                        null,
                        row.getInt(20)),
                Instant.EPOCH,
                state == RowState.READY ? null : Instant.EPOCH,
                hold(row),
                "this row cannot be read: " + why + "; correct it in the table, then retry it");
    }

    private StoredMessage map(ResultSet row, RowKey key) throws SQLException {
        Stream stream = new Stream(row.getString(5), row.getString(6), row.getString(7));
        Headers.Parsed headers = Headers.read(row.getString(11));
        byte[] payload = row.getBytes(22);
        Content content = new Content(
                row.getString(8), row.getString(9), row.getString(10), headers.headers(), payload, row.getString(12));
        StoredMessage.Progress progress = new StoredMessage.Progress(
                RowState.of(row.getInt(4)),
                row.getInt(16),
                row.getInt(17),
                row.getLong(18),
                row.getBoolean(19),
                row.getString(13),
                row.getInt(20));
        String defect = payload == null ? tooLarge(row.getLong(21)) : headers.defect();
        return new StoredMessage(
                key,
                stream,
                content,
                progress,
                timestamps.require(row, 14),
                timestamps.get(row, 15),
                hold(row),
                defect);
    }

    /** The key of a row in any statement that names its columns lane, seq and id. */
    public static RowKey key(ResultSet row) throws SQLException {
        return new RowKey(row.getInt("lane"), row.getLong("seq"), row.getObject("id", UUID.class));
    }

    private static StoredMessage.Hold hold(ResultSet row) throws SQLException {
        boolean held = row.getBoolean(23);
        long earlier = row.getLong(24);
        boolean none = row.wasNull();
        return !held && none ? StoredMessage.Hold.NONE : new StoredMessage.Hold(held, none ? -1 : earlier);
    }

    private static String tooLarge(long bytes) {
        return "the payload has " + bytes + " bytes, more than the relay reads: raise postroom.limits.payload-bytes and"
                + " retry it, or write a smaller message";
    }
}
