package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.JsonList;
import dev.postroom.jdbc.internal.portable.SettleSql;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Settling in MariaDB. A scan that locks waits for producers whose rows it has no business with, and the optimizer likes
 * to scan: a small table, or one of which it is to change a good part, also when an IN list and FORCE INDEX tell it
 * otherwise. So rows are joined to the list of their numbers, one by one and in its order.
 */
final class MariaDbSettleSql implements SettleSql {
    private static final String LISTED_ROWS =
            JsonList.SEQS + " STRAIGHT_JOIN postroom_message m" + " FORCE INDEX (PRIMARY) ON m.seq = k.seq";

    @Override
    public String lockLanes(int lanes) {
        return list("""
                SELECT lane, epoch FROM postroom_lane FORCE INDEX (PRIMARY)
                WHERE owner = ? AND lane IN ({list})
                ORDER BY lane
                FOR UPDATE
                """, lanes);
    }

    @Override
    public void setSeqs(PreparedStatement statement, List<Long> seqs) throws SQLException {
        statement.setString(1, JsonList.of(seqs));
    }

    @Override
    public String lockRows() {
        return "SELECT m.seq, m.id, m.state, m.completed, m.version FROM " + LISTED_ROWS + " FOR UPDATE";
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
                SELECT m.seq, m.id, m.created_at, m.available_at, m.attempts, m.crashes, m.lane, 0, m.tenant, m.topic,
                    m.ordering_key, m.type, m.content_type, m.content_encoding, m.source, m.reason, m.error, m.headers,
                    m.payload
                FROM {rows}
                WHERE m.only_destination IS NULL
                """.replace("{rows}", LISTED_ROWS);
    }

    @Override
    public String remove() {
        return "DELETE m FROM " + LISTED_ROWS;
    }

    @Override
    public String fail() {
        return """
                UPDATE postroom_message
                SET attempts = ?, version = LEAST(version, 2147483646) + 1, completed = completed | ?,
                    retry_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,
                    dead_at = CASE WHEN ? IS NULL THEN UTC_TIMESTAMP(6) END,
                    failed_at = UTC_TIMESTAMP(6), holds = ?, reason = ?, error = ?
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
                UPDATE postroom_lane FORCE INDEX (PRIMARY)
                SET owner = NULL, lease_until = NULL, reserved_from = 0, reserved_to = 0
                WHERE lane IN ({list})
                """, lanes);
    }

    private static String list(String statement, int values) {
        return statement.replace("{list}", "?" + ", ?".repeat(values - 1));
    }
}
