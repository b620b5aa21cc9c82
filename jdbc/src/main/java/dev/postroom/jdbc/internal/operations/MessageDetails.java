package dev.postroom.jdbc.internal.operations;

import dev.postroom.FailureReason;
import dev.postroom.jdbc.internal.Headers;
import dev.postroom.operations.DeliveryFacts;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageDetail.Attempt;
import dev.postroom.operations.MessageItem;
import dev.postroom.spi.RowLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything about one message. */
final class MessageDetails {
    private static final int MOST_ATTEMPTS = 100;

    private static final String LIVE = """
            SELECT m.id, m.seq, m.lane, m.tenant, m.topic, m.ordering_key, m.type, m.state, m.attempts, m.crashes,
                m.created_at, COALESCE(m.retry_at, m.available_at) AS due, m.reason, m.error, m.released, m.completed,
                m.only_destination, m.content_type, m.content_encoding, m.source, {headers},
                SUBSTRING(m.payload FROM 1 FOR ?) AS payload, OCTET_LENGTH(m.payload) AS payload_bytes,
                (m.ordering_key IS NOT NULL AND NOT m.released AND {held}) AS held
            FROM postroom_message m {along id}
            WHERE m.id = ?
            """;

    /** Plus 0, or PostgreSQL may walk along the index on seq, in the hope of meeting the id soon. */
    private static final String ARCHIVED = """
            SELECT a.id, a.seq, a.lane, a.tenant, a.topic, a.ordering_key, a.type, a.outcome, a.attempts, a.crashes,
                a.created_at, a.archived_at, a.reason, a.error, FALSE AS released, 0 AS completed,
                a.content_type, a.content_encoding, a.source, {headers},
                SUBSTRING(a.payload FROM 1 FOR ?) AS payload, OCTET_LENGTH(a.payload) AS payload_bytes
            FROM postroom_archive a {along id}
            WHERE a.id = ?
            ORDER BY a.seq + 0
            LIMIT 1
            """;

    /** What no relay can be told to send is not shown either. */
    private static final RowLimits SHOWN = new RowLimits(Integer.MAX_VALUE, 1_000, 1 << 20);

    private static final String ATTEMPTS = """
            SELECT t.attempt, t.at, t.reason, t.error, t.destination, t.node
            FROM postroom_attempt t {along message}
            WHERE t.message_id = ?
            ORDER BY t.at DESC, t.attempt DESC
            LIMIT ?
            """;

    private final OperationsSql sql;
    private final WaitingFacts facts;

    MessageDetails(OperationsSql sql, WaitingFacts facts) {
        this.sql = sql;
        this.facts = facts;
    }

    /** Looked for among the live ones first: a replayed message is in both tables. */
    Optional<MessageDetail> find(Statements statements, UUID id, int maxPayloadBytes) throws SQLException {
        // H2 adds the length to the place, and the largest number would overflow.
        List<Object> values = List.of(Math.min(maxPayloadBytes, 1 << 30), id);
        List<Row> rows = statements.all(
                withHeaders(LIVE, "m").replace("{held}", sql.held()), values, row -> live(statements, row));
        if (rows.isEmpty()) {
            rows = statements.all(withHeaders(ARCHIVED, "a"), values, row -> archived(statements, row));
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(detail(statements, rows.get(0)));
    }

    private static String withHeaders(String select, String table) {
        return select.replace("{headers}", MessageHeaders.columns(table, SHOWN.storedHeaderBytes()));
    }

    /** What one statement says; read to its end before the next one is asked. */
    @SuppressWarnings("ArrayRecordComponent") // a payload is handed through, never compared
    record Row(
            MessageItem item,
            int lane,
            @Nullable Instant due,
            boolean isLive,
            boolean held,
            @Nullable String onlyDestination,
            String contentType,
            @Nullable String contentEncoding,
            Headers.Parsed headers,
            byte[] payload,
            long payloadBytes,
            @Nullable String source,
            @Nullable String error,
            int crashes,
            long completed,
            boolean released) {}

    private static Row live(Statements statements, ResultSet row) throws SQLException {
        return row(
                row,
                MessageItems.live(row, statements.timestamps(), statements.now()),
                statements.timestamps().get(row, "due"),
                true);
    }

    private static Row archived(Statements statements, ResultSet row) throws SQLException {
        return row(row, MessageItems.archived(row, statements.timestamps()), null, false);
    }

    private static Row row(ResultSet row, MessageItem item, @Nullable Instant due, boolean isLive) throws SQLException {
        byte[] payload = row.getBytes("payload");
        return new Row(
                item,
                row.getInt("lane"),
                due,
                isLive,
                isLive && row.getBoolean("held"),
                isLive ? row.getString("only_destination") : null,
                row.getString("content_type"),
                row.getString("content_encoding"),
                Headers.read(row.getString("headers"), row.getLong("headers_bytes"), SHOWN),
                payload == null ? new byte[0] : payload,
                row.getLong("payload_bytes"),
                row.getString("source"),
                row.getString("error"),
                row.getInt("crashes"),
                row.getLong("completed"),
                row.getBoolean("released"));
    }

    private MessageDetail detail(Statements statements, Row row) throws SQLException {
        DeliveryFacts known = row.isLive ? facts.of(statements, row) : null;
        return new MessageDetail(
                row.item,
                row.lane,
                row.contentType,
                row.contentEncoding,
                row.headers.headers(),
                row.payload,
                row.payloadBytes,
                row.source,
                row.error,
                row.crashes,
                row.completed == 0 ? List.of() : Completed.read(statements).names(row.completed),
                row.released,
                attempts(statements, row.item.id()),
                known);
    }

    private static List<Attempt> attempts(Statements statements, UUID id) throws SQLException {
        return statements.all(
                ATTEMPTS,
                List.of(id, MOST_ATTEMPTS),
                row -> new Attempt(
                        row.getInt("attempt"),
                        statements.timestamps().require(row, "at"),
                        Objects.requireNonNullElse(MessageItems.reason(row.getString("reason")), FailureReason.UNKNOWN),
                        row.getString("error"),
                        row.getString("destination"),
                        row.getString("node")));
    }
}
