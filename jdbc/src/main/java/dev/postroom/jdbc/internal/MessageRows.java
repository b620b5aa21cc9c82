package dev.postroom.jdbc.internal;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Maps live rows as a relay reads them. A statement returns these columns in this order: id, lane, seq, state, tenant,
 * topic, ordering_key, type, content_type, content_encoding, headers (as text, null when above the read's limits), source,
 * only_destination, created_at, due, attempts, crashes, completed, released, version, payload_bytes, payload (null when above
 * the read's limits), held (not read here), headers_bytes. By place and not by name, because this is done for every message.
 *
 * <p>A row that cannot be mapped is given with a defect, so that it is dead-lettered: if it failed the read, it would fail
 * every read, and with it all rows beside it.
 */
public final class MessageRows {
    private final Timestamps timestamps;

    public MessageRows(Timestamps timestamps) {
        this.timestamps = timestamps;
    }

    public StoredMessage map(ResultSet row, RowLimits limits) throws SQLException {
        RowKey key = new RowKey(row.getInt(2), row.getLong(3), row.getObject(1, UUID.class));
        try {
            return message(key, row, limits);
        } catch (SQLException e) {
            if (!isOfTheRow(e)) {
                throw e;
            }
            return unreadable(key, row, e);
        } catch (RuntimeException e) {
            return unreadable(key, row, e);
        }
    }

    private StoredMessage message(RowKey key, ResultSet row, RowLimits limits) throws SQLException {
        String storedHeaders = row.getString(11);
        Headers.Parsed headers = Headers.read(storedHeaders, storedHeaders == null ? row.getLong(24) : 0, limits);
        byte[] payload = row.getBytes(22);
        Content content = new Content(
                row.getString(8), row.getString(9), row.getString(10), headers.headers(), payload, row.getString(12));
        StoredMessage.Progress progress = progress(row, row.getString(13));
        String defect = payload == null && row.getLong(21) > limits.payloadBytes()
                ? tooLarge(row.getLong(21), limits)
                : headers.defect();
        return new StoredMessage(
                key, stream(row), content, progress, timestamps.require(row, 14), timestamps.get(row, 15), defect);
    }

    /** With what places it in its stream and lets its failure be recorded, and nothing else. */
    private static StoredMessage unreadable(RowKey key, ResultSet row, Exception why) throws SQLException {
        Content none = new Content(null, "application/octet-stream", null, Map.of(), null, null);
        return new StoredMessage(
                key,
                stream(row),
                none,
                progress(row, null),
                Timestamps.EARLIEST,
                Timestamps.EARLIEST,
                "the row cannot be read: " + why.getMessage() + ": correct it, then retry it");
    }

    /** A value that was refused or cannot be converted; anything else, such as a lost connection, blames nobody. */
    private static boolean isOfTheRow(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return e instanceof SQLDataException || Refusals.isData(e) || state.startsWith("07") || state.startsWith("42");
    }

    private static Stream stream(ResultSet row) throws SQLException {
        return new Stream(row.getString(5), row.getString(6), row.getString(7));
    }

    private static StoredMessage.Progress progress(ResultSet row, @Nullable String onlyDestination)
            throws SQLException {
        return new StoredMessage.Progress(
                RowState.of(row.getInt(4)),
                row.getInt(16),
                row.getInt(17),
                row.getLong(18),
                row.getBoolean(19),
                onlyDestination,
                row.getInt(20));
    }

    /** The key of a row in any statement that names its columns lane, seq and id. */
    public static RowKey key(ResultSet row) throws SQLException {
        return new RowKey(row.getInt("lane"), row.getLong("seq"), row.getObject("id", UUID.class));
    }

    private static String tooLarge(long bytes, RowLimits limits) {
        return "the payload has " + bytes + " bytes, more than the relay reads (" + limits.payloadBytes()
                + "): raise postroom.limits.payload-bytes and retry it, or write a smaller message";
    }
}
