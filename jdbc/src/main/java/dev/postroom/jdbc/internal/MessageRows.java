package dev.postroom.jdbc.internal;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Maps a live row as the relay reads it. The statement returns the table's columns under their own names, {@code payload}
 * as null when it is above the read's limit, {@code payload_bytes}, {@code headers} as text, {@code due}, {@code held}
 * and {@code earlier_seq}.
 */
public final class MessageRows {
    private final Timestamps timestamps;

    public MessageRows(Timestamps timestamps) {
        this.timestamps = timestamps;
    }

    public StoredMessage map(ResultSet row) throws SQLException {
        Headers.Parsed headers = Headers.read(row.getString("headers"));
        byte[] payload = row.getBytes("payload");
        Content content = new Content(
                row.getString("type"),
                row.getString("content_type"),
                row.getString("content_encoding"),
                headers.headers(),
                payload,
                row.getString("source"));
        StoredMessage.Progress progress = new StoredMessage.Progress(
                RowState.of(row.getInt("state")),
                row.getInt("attempts"),
                row.getInt("crashes"),
                row.getLong("completed"),
                row.getBoolean("released"),
                row.getString("only_destination"),
                row.getInt("version"));
        Instant due = timestamps.get(row, "due");
        return new StoredMessage(
                key(row),
                new Stream(row.getString("tenant"), row.getString("topic"), row.getString("ordering_key")),
                content,
                progress,
                timestamps.require(row, "created_at"),
                due,
                hold(row),
                payload == null ? tooLarge(row.getLong("payload_bytes")) : headers.defect());
    }

    public static RowKey key(ResultSet row) throws SQLException {
        return new RowKey(row.getInt("lane"), row.getLong("seq"), row.getObject("id", UUID.class));
    }

    private static StoredMessage.Hold hold(ResultSet row) throws SQLException {
        boolean held = row.getBoolean("held");
        long earlier = row.getLong("earlier_seq");
        boolean none = row.wasNull();
        return !held && none ? StoredMessage.Hold.NONE : new StoredMessage.Hold(held, none ? -1 : earlier);
    }

    private static @Nullable String tooLarge(long bytes) {
        return "the payload has " + bytes + " bytes, more than the relay reads: raise postroom.limits.payload-bytes and"
                + " retry it, or write a smaller message";
    }
}
