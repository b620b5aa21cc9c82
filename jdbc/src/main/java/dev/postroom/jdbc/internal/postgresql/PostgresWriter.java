package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.DeliveryTime;
import dev.postroom.Published;
import dev.postroom.jdbc.internal.Headers;
import dev.postroom.jdbc.internal.Micros;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes any number of messages with one statement: columns travel as arrays. Streams and lanes are computed by the statement, whose plan is kept;
 * the trigger that completes the rows of other writers lets these pass. With idempotency keys or given ids the same
 * statement also takes the keys and claims the ids; only when a key was taken by a transaction that committed during it, a
 * second one looks up whose message that was.
 */
final class PostgresWriter implements MessageWriter {
    private static final String WRITE = """
            INSERT INTO postroom_message (id, tenant, topic, ordering_key, type, content_type, content_encoding, headers,
                payload, source, available_at, stream, lane, trusted)
            SELECT i.id, i.tenant, i.topic, i.ordering_key, i.type, i.content_type, i.content_encoding, i.headers::json,
                i.payload, i.source,
                coalesce(i.deliver_at::timestamptz, clock_timestamp() + i.deliver_after::double precision * interval '1 microsecond'),
                postroom_stream_of(i.tenant, i.ordering_key),
                postroom_lane_of(i.tenant, postroom_stream_of(i.tenant, i.ordering_key), i.id), true
            FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::bytea[], ?::text[], ?::text[], ?::bigint[]) WITH ORDINALITY
                AS i(id, tenant, topic, ordering_key, type, content_type, content_encoding, headers,
                    payload, source, deliver_at, deliver_after, n)
            ORDER BY i.n
            RETURNING id, lane, seq
            """;

    /**
     * Keys are taken in their own order, so that two transactions with the same keys wait but do not deadlock; then the ids of
     * those whose keys were free. What is not to be written because of its id is told by that id.
     */
    private static final String WRITE_ONCE = """
            WITH input AS MATERIALIZED (
                SELECT * FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                        ?::text[], ?::bytea[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[])
                    WITH ORDINALITY
                    AS i(id, tenant, topic, ordering_key, type, content_type, content_encoding, headers,
                        payload, source, deliver_at, deliver_after, idempotency_key, dedup_window, id_window, n)
            ), taken AS (
                INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
                SELECT i.tenant, i.idempotency_key, i.id, clock_timestamp() + i.dedup_window::double precision * interval '1 microsecond'
                FROM input i
                WHERE i.idempotency_key IS NOT NULL
                ORDER BY i.tenant COLLATE "C", i.idempotency_key COLLATE "C", i.n
                ON CONFLICT DO NOTHING
                RETURNING message_id
            ), free AS MATERIALIZED (
                SELECT i.id, i.id_window FROM input i
                WHERE i.idempotency_key IS NULL OR i.id IN (SELECT message_id FROM taken)
            ), claimed AS (
                INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
                SELECT i.id::text, '', i.id, clock_timestamp() + i.id_window::double precision * interval '1 microsecond'
                FROM free i
                WHERE i.id_window IS NOT NULL
                ORDER BY i.id
                ON CONFLICT DO NOTHING
                RETURNING message_id
            ), written AS (
                INSERT INTO postroom_message (id, tenant, topic, ordering_key, type, content_type, content_encoding,
                    headers, payload, source, available_at, stream, lane, trusted)
                SELECT i.id, i.tenant, i.topic, i.ordering_key, i.type, i.content_type, i.content_encoding,
                    i.headers::json, i.payload, i.source,
                    coalesce(i.deliver_at::timestamptz, clock_timestamp() + i.deliver_after::double precision * interval '1 microsecond'),
                    postroom_stream_of(i.tenant, i.ordering_key),
                postroom_lane_of(i.tenant, postroom_stream_of(i.tenant, i.ordering_key), i.id), true
                FROM input i JOIN free f ON f.id = i.id
                WHERE f.id_window IS NULL OR f.id IN (SELECT message_id FROM claimed)
                ORDER BY i.n
                ON CONFLICT DO NOTHING
                RETURNING id, lane, seq
            )
            SELECT i.id, w.lane, w.seq, CASE
                    WHEN w.id IS NOT NULL THEN NULL
                    WHEN f.id IS NOT NULL THEN i.id
                    ELSE (SELECT d.message_id FROM postroom_dedup d
                          WHERE d.tenant = i.tenant AND d.idempotency_key = i.idempotency_key) END AS first_id
            FROM input i LEFT JOIN free f ON f.id = i.id LEFT JOIN written w ON w.id = i.id
            """;

    private static final String FIRST = """
            SELECT message_id FROM postroom_dedup WHERE tenant = ?::text AND idempotency_key = ?::text
            """;

    private final String write;
    private final String writeOnce;
    private final String first;

    PostgresWriter(SqlNames names) {
        this.write = names.in(WRITE);
        this.writeOnce = names.in(WRITE_ONCE);
        this.first = names.in(FIRST);
    }

    @Override
    public List<Published> write(Connection connection, List<NewMessage> messages) throws SQLException {
        boolean once = messages.stream().anyMatch(message -> message.dedup() != null || message.idWindow() != null);
        Map<UUID, Result> results = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(once ? writeOnce : write)) {
            bind(statement, connection, messages, once);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    results.put(rows.getObject("id", UUID.class), result(rows, once));
                }
            }
        }
        List<Published> inOrder = new ArrayList<>(messages.size());
        for (NewMessage message : messages) {
            Result result = Objects.requireNonNull(results.get(message.id()));
            inOrder.add(
                    result.equals(Result.TAKEN)
                            ? Published.existing(first(connection, message), message.idempotencyKey())
                            : result.of(message));
        }
        return inOrder;
    }

    /** Where a row was written, or else whose message there was before. */
    private record Result(int lane, long seq, @Nullable UUID firstId) {
        /** The key was taken, but this statement's snapshot does not show by whom. */
        static final Result TAKEN = new Result(-1, -1, null);

        Published of(NewMessage message) {
            return firstId == null
                    ? new Published(message.id(), message.idempotencyKey(), false, lane, seq)
                    : Published.existing(firstId, message.idempotencyKey());
        }
    }

    private static Result result(ResultSet row, boolean once) throws SQLException {
        long seq = row.getLong("seq");
        if (!row.wasNull()) {
            return new Result(row.getInt("lane"), seq, null);
        }
        UUID firstId = once ? row.getObject("first_id", UUID.class) : null;
        return firstId == null ? Result.TAKEN : new Result(-1, -1, firstId);
    }

    private UUID first(Connection connection, NewMessage message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(first)) {
            statement.setString(1, message.stream().tenant());
            statement.setString(2, message.idempotencyKey());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return row.getObject(1, UUID.class);
                }
            }
        }
        // The key was purged in the instant between the two statements: as any other loss of a race, try again.
        throw new SQLException("the idempotency key was forgotten while it was looked up, try again", "40001");
    }

    private static void bind(
            PreparedStatement statement, Connection connection, List<NewMessage> messages, boolean once)
            throws SQLException {
        int size = messages.size();
        UUID[] ids = new UUID[size];
        byte[][] payloads = new byte[size][];
        String[][] texts = new String[9][size];
        Long[] delays = new Long[size];
        String[] keys = new String[size];
        Long[] windows = new Long[size];
        Long[] idWindows = new Long[size];
        for (int i = 0; i < size; i++) {
            NewMessage message = messages.get(i);
            ids[i] = message.id();
            payloads[i] = message.content().payload();
            texts[0][i] = message.stream().tenant();
            texts[1][i] = message.stream().topic();
            texts[2][i] = message.stream().key();
            texts[3][i] = message.content().type();
            texts[4][i] = message.content().contentType();
            texts[5][i] = message.content().contentEncoding();
            texts[6][i] = Headers.write(message.content().headers());
            texts[7][i] = message.content().source();
            DeliveryTime time = message.deliveryTime();
            texts[8][i] = time instanceof DeliveryTime.At at
                    ? Timestamps.nearest(at.instant()).toString()
                    : null;
            delays[i] = time instanceof DeliveryTime.After after ? Micros.of(after.delay()) : null;
            NewMessage.Dedup dedup = message.dedup();
            keys[i] = message.idempotencyKey();
            windows[i] = dedup == null ? null : Micros.of(dedup.window());
            idWindows[i] = message.idWindow() == null ? null : Micros.of(message.idWindow());
        }
        Parameters parameters = new Parameters(connection, statement);
        parameters.array("uuid", ids);
        for (int column = 0; column < 7; column++) {
            parameters.array("text", texts[column]);
        }
        parameters.array("bytea", payloads);
        parameters.array("text", texts[7]);
        parameters.array("text", texts[8]);
        parameters.array("bigint", delays);
        if (once) {
            parameters.array("text", keys);
            parameters.array("bigint", windows);
            parameters.array("bigint", idWindows);
        }
    }
}
