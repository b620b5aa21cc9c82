package dev.postroom.jdbc.internal.h2;

import dev.postroom.jdbc.internal.portable.SettleSql;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Settling in H2. */
final class H2SettleSql implements SettleSql {

    @Override
    public String lockLanes(int lanes) {
        return list("""
                SELECT lane, epoch FROM postroom_lane
                WHERE owner = ? AND lane IN ({list})
                ORDER BY lane
                FOR UPDATE
                """, lanes);
    }

    @Override
    public void setSeqs(PreparedStatement statement, List<Long> seqs) throws SQLException {
        statement.setObject(1, seqs.toArray(Long[]::new));
    }

    @Override
    public String lockRows() {
        return """
                SELECT seq, id, state, completed, version FROM postroom_message
                WHERE seq = ANY(?)
                ORDER BY seq
                FOR UPDATE
                """;
    }

    @Override
    public String merge() {
        return "UPDATE postroom_message SET completed = ? WHERE seq = ?";
    }

    @Override
    public String archive() {
        return """
                INSERT INTO postroom_archive (seq, id, created_at, available_at, attempts, crashes, lane, outcome, tenant,
                    topic, ordering_key, type, content_type, content_encoding, source, reason, error, headers, payload)
                SELECT seq, id, created_at, available_at, attempts, crashes, lane, 0, tenant,
                    topic, ordering_key, type, content_type, content_encoding, source, reason, error, headers, payload
                FROM postroom_message
                WHERE seq = ANY(?) AND only_destination IS NULL
                ORDER BY seq
                """;
    }

    @Override
    public String remove() {
        return "DELETE FROM postroom_message WHERE seq = ANY(?)";
    }

    @Override
    public String fail() {
        return """
                UPDATE postroom_message
                SET attempts = ?, version = LEAST(version, 2147483646) + 1, completed = BITOR(completed, CAST(? AS BIGINT)),
                    retry_at = DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP(6)),
                    dead_at = CASE WHEN CAST(? AS BIGINT) IS NULL THEN CURRENT_TIMESTAMP(6) END,
                    failed_at = CURRENT_TIMESTAMP(6), holds = ?, reason = ?, error = ?
                WHERE seq = ?
                """;
    }

    @Override
    public String attempt() {
        return """
                INSERT INTO postroom_attempt (message_id, attempt, reason, error, destination, node)
                VALUES (?, ?, ?, ?, ?, ?)
                """;
    }

    @Override
    public String suspect() {
        return "UPDATE postroom_message SET crashes = ?, version = LEAST(version, 2147483646) + 1 WHERE seq = ?";
    }

    @Override
    public String releaseLanes(int lanes) {
        return list("""
                UPDATE postroom_lane
                SET owner = NULL, lease_until = NULL, reserved_from = 0, reserved_to = 0
                WHERE lane IN ({list})
                """, lanes);
    }

    private static String list(String statement, int values) {
        return statement.replace("{list}", "?" + ", ?".repeat(values - 1));
    }
}
