package dev.postroom.jdbc.internal.h2;

import dev.postroom.jdbc.internal.Micros;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.jdbc.internal.portable.WriteSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Writing in H2. */
final class H2WriteSql implements WriteSql {
    private static final String INSERT = """
            SELECT id, lane, seq FROM FINAL TABLE (
                INSERT INTO postroom_message (id, tenant, topic, ordering_key, type, content_type, content_encoding,
                    headers, payload, source, available_at)
                VALUES {messages})
            """;

    private static final String MESSAGE = """
            (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(CAST(? AS TIMESTAMP(6) WITH TIME ZONE),
                DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP(6))))""";

    /**
     * Returns a row if the key is new. While another open transaction has the key, H2 tries again and again (it does not
     * sleep), for up to LOCK_TIMEOUT.
     */
    private static final String TAKE = """
            SELECT message_id FROM FINAL TABLE (
                MERGE INTO postroom_dedup d
                USING (VALUES (CAST(? AS VARCHAR), CAST(? AS VARCHAR))) k (tenant, idempotency_key)
                ON d.tenant = k.tenant AND d.idempotency_key = k.idempotency_key
                WHEN NOT MATCHED THEN INSERT (tenant, idempotency_key, message_id, expires_at)
                VALUES (k.tenant, k.idempotency_key, ?, DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP(6))))
            """;

    private static final String FIRST = """
            SELECT message_id FROM postroom_dedup WHERE tenant = ? AND idempotency_key = ?
            """;

    private static final String DUPLICATE_KEY = "23505";
    private static final String LOCK_TIMEOUT = "HYT00";
    private static final String SERIALIZATION_FAILURE = "40001";

    private final String take;
    private final String first;

    H2WriteSql(SqlNames names) {
        this.take = names.in(TAKE);
        this.first = names.in(FIRST);
    }

    @Override
    public String insert(int messages) {
        return INSERT.replace("{messages}", MESSAGE + (", " + MESSAGE).repeat(messages - 1));
    }

    /** One key at a time: H2 runs in this process, so a statement costs no round trip. */
    @Override
    public Map<DedupKey, Taken> take(Connection connection, List<Claim> claims) throws SQLException {
        Map<DedupKey, Taken> taken = new HashMap<>();
        for (Claim claim : claims) {
            taken.put(
                    claim.key(),
                    isTakenNow(connection, claim)
                            ? new Taken(claim.messageId(), false)
                            : new Taken(first(connection, claim.key()), true));
        }
        return taken;
    }

    private boolean isTakenNow(Connection connection, Claim claim) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(take)) {
            new Values(statement)
                    .text(claim.key().tenant())
                    .text(claim.key().key())
                    .id(claim.messageId())
                    .number(Micros.of(claim.window()));
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            // Only above READ COMMITTED: the snapshot does not show the key. H2 undoes the statement, nothing else.
            if (DUPLICATE_KEY.equals(e.getSQLState())) {
                return false;
            }
            if (LOCK_TIMEOUT.equals(e.getSQLState())) {
                throw new SQLException(
                        "another transaction has kept the idempotency key for longer than LOCK_TIMEOUT, perhaps waiting for"
                                + " this one: run this one again",
                        SERIALIZATION_FAILURE,
                        e);
            }
            throw e;
        }
    }

    private UUID first(Connection connection, DedupKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(first)) {
            new Values(statement).text(key.tenant()).text(key.key());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return row.getObject("message_id", UUID.class);
                }
            }
        }
        throw new SQLException(
                "the idempotency key was taken by a transaction that committed after this one began: run this one again,"
                        + " or use READ COMMITTED",
                SERIALIZATION_FAILURE);
    }
}
