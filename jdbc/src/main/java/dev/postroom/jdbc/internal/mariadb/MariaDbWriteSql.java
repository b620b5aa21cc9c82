package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.Micros;
import dev.postroom.jdbc.internal.SizedSql;
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

/** Writing in MariaDB. */
final class MariaDbWriteSql implements WriteSql {
    private static final String INSERT = """
            INSERT INTO postroom_message (id, tenant, topic, ordering_key, type, content_type, content_encoding, headers,
                payload, source, available_at)
            VALUES {messages}
            RETURNING id, lane, seq
            """;

    private static final String MESSAGE =
            "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND))";

    /**
     * A key that is taken is locked and read as it stands now, also at REPEATABLE READ, whose snapshot may not show it;
     * no error is raised that could end the caller's transaction. See {@link KeyGate} for those who have to wait.
     */
    private static final String TAKE = """
            INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
            VALUES {keys}
            ON DUPLICATE KEY UPDATE repeats = repeats + 1
            RETURNING tenant, idempotency_key, message_id, repeats
            """;

    private static final String KEY = "(?, ?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)";
    /** Keys in one statement. */
    private static final int CHUNK = 256;

    private final SizedSql takeAtOnce;
    private final SizedSql take;
    private final KeyGate gate;

    MariaDbWriteSql(SqlNames names) {
        this.take = new SizedSql(names, keys -> TAKE.replace("{keys}", KEY + (", " + KEY).repeat(keys - 1)));
        this.takeAtOnce = new SizedSql(names, keys -> KeyGate.AT_ONCE + take.of(keys));
        this.gate = new KeyGate(names, "dedup");
    }

    @Override
    public String insert(int messages) {
        return INSERT.replace("{messages}", MESSAGE + (", " + MESSAGE).repeat(messages - 1));
    }

    @Override
    public Map<DedupKey, Taken> take(Connection connection, List<Claim> claims) throws SQLException {
        Map<DedupKey, Taken> taken = new HashMap<>();
        for (int from = 0; from < claims.size(); from += CHUNK) {
            takeTogether(connection, claims.subList(from, Math.min(claims.size(), from + CHUNK)), taken);
        }
        return taken;
    }

    /** In one statement, unless others have some of the keys: then one by one, since each key has its own gate. */
    private void takeTogether(Connection connection, List<Claim> claims, Map<DedupKey, Taken> taken)
            throws SQLException {
        if (claims.size() > 1) {
            try {
                taken.putAll(insert(connection, takeAtOnce, claims));
                return;
            } catch (SQLException e) {
                if (!KeyGate.wouldHaveWaited(connection, e)) {
                    throw e;
                }
            }
        }
        for (Claim claim : claims) {
            KeyGate.Key key = new KeyGate.Key(claim.key().tenant(), claim.key().key());
            taken.putAll(gate.take(
                    connection, key, waiting -> insert(connection, waiting ? take : takeAtOnce, List.of(claim))));
        }
    }

    private static Map<DedupKey, Taken> insert(Connection connection, SizedSql take, List<Claim> claims)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(take.of(claims.size()))) {
            Values values = new Values(statement);
            for (Claim claim : claims) {
                values.text(claim.key().tenant())
                        .text(claim.key().key())
                        .id(claim.messageId())
                        .number(Micros.of(claim.window()));
            }
            Map<DedupKey, Taken> taken = new HashMap<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    taken.put(
                            new DedupKey(row.getString("tenant"), row.getString("idempotency_key")),
                            new Taken(row.getObject("message_id", UUID.class), row.getInt("repeats") > 0));
                }
            }
            return taken;
        }
    }
}
