package dev.postroom.jdbc.internal.operations;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.RowState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maps rows to what operators see. */
final class MessageItems {
    private static final int SNIPPET = 200;

    private MessageItems() {}

    static MessageItem live(ResultSet row, Timestamps timestamps, Instant now) throws SQLException {
        RowState state = RowState.of(row.getInt("state"));
        Instant due = timestamps.get(row, "due");
        MessageStatus status = status(state, due, row.getBoolean("held"), now);
        return item(row, timestamps, status, status == MessageStatus.SCHEDULED ? due : null, null);
    }

    static MessageItem archived(ResultSet row, Timestamps timestamps) throws SQLException {
        MessageStatus status = row.getInt("outcome") == 0 ? MessageStatus.PROCESSED : MessageStatus.SKIPPED;
        return item(row, timestamps, status, null, timestamps.get(row, "archived_at"));
    }

    /** In the order of {@link MessageStatus}: the first that fits. */
    static MessageStatus status(RowState state, @Nullable Instant due, boolean held, Instant now) {
        if (state == RowState.DEAD) {
            return MessageStatus.DEAD;
        }
        if (state != RowState.READY && due != null && due.isAfter(now)) {
            return MessageStatus.SCHEDULED;
        }
        return held ? MessageStatus.BLOCKED : MessageStatus.PENDING;
    }

    private static MessageItem item(
            ResultSet row,
            Timestamps timestamps,
            MessageStatus status,
            @Nullable Instant availableAt,
            @Nullable Instant processedAt)
            throws SQLException {
        return new MessageItem(
                id(row, "id"),
                row.getLong("seq"),
                stream(row),
                row.getString("type"),
                status,
                row.getInt("attempts"),
                timestamps.require(row, "created_at"),
                availableAt,
                processedAt,
                reason(row.getString("reason")),
                snippet(row.getString("error")));
    }

    static UUID id(ResultSet row, String column) throws SQLException {
        return UUID.fromString(row.getString(column));
    }

    static Stream stream(ResultSet row) throws SQLException {
        return new Stream(row.getString("tenant"), row.getString("topic"), row.getString("ordering_key"));
    }

    /** A reason that only a newer version knows is still a failure. */
    static @Nullable FailureReason reason(@Nullable String name) {
        if (name == null) {
            return null;
        }
        return Arrays.stream(FailureReason.values())
                .filter(reason -> reason.name().equals(name))
                .findFirst()
                .orElse(FailureReason.UNKNOWN);
    }

    private static @Nullable String snippet(@Nullable String error) {
        return error == null || error.length() <= SNIPPET ? error : error.substring(0, SNIPPET);
    }
}
