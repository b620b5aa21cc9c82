package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.portable.SettleSql;

/**
 * Settling in MariaDB. Every statement is told to go by the primary key: the optimizer prefers to scan a small table, and
 * a scan that locks waits for producers whose rows it has no business with.
 */
final class MariaDbSettleSql implements SettleSql {

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
    public String lockRows(int seqs) {
        return list("""
                SELECT seq, id, state, completed, version FROM postroom_message FORCE INDEX (PRIMARY)
                WHERE seq IN ({list})
                ORDER BY seq
                FOR UPDATE
                """, seqs);
    }

    @Override
    public String merge() {
        return "UPDATE postroom_message SET completed = ? WHERE seq = ?";
    }

    @Override
    public String archive(int seqs) {
        return list("""
                INSERT INTO postroom_archive (seq, id, created_at, available_at, attempts, crashes, lane, outcome, tenant,
                    topic, ordering_key, type, content_type, content_encoding, source, reason, error, headers, payload)
                SELECT seq, id, created_at, available_at, attempts, crashes, lane, 0, tenant,
                    topic, ordering_key, type, content_type, content_encoding, source, reason, error, headers, payload
                FROM postroom_message FORCE INDEX (PRIMARY)
                WHERE seq IN ({list}) AND only_destination IS NULL
                ORDER BY seq
                """, seqs);
    }

    @Override
    public String remove(int seqs) {
        return list("DELETE m FROM postroom_message m FORCE INDEX (PRIMARY) WHERE m.seq IN ({list})", seqs);
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
