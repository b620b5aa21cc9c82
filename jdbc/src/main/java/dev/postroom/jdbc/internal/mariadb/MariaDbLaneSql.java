package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.LaneSql;

/** Lanes in MariaDB. The clock is that of the statement's beginning: after waiting for a lock it errs towards "not yet expired". */
final class MariaDbLaneSql implements LaneSql {

    @Override
    public String lanes() {
        return """
                SELECT lane, owner, epoch, COALESCE(lease_until <= UTC_TIMESTAMP(6), FALSE) AS expired, lease_until,
                    reserved_from, reserved_to, routing
                FROM postroom_lane
                ORDER BY lane
                """;
    }

    @Override
    public String lock() {
        return """
                SELECT lane, owner, epoch, COALESCE(lease_until <= UTC_TIMESTAMP(6), FALSE) AS expired, lease_until,
                    reserved_from, reserved_to, routing
                FROM postroom_lane FORCE INDEX (PRIMARY)
                WHERE {lanes}
                ORDER BY lane
                FOR UPDATE
                """.replace("{lanes}", LANES);
    }

    @Override
    public String prolong() {
        return """
                UPDATE postroom_lane FORCE INDEX (PRIMARY)
                SET lease_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
                WHERE {lanes}
                """.replace("{lanes}", LANES);
    }

    @Override
    public String take() {
        return """
                UPDATE postroom_lane FORCE INDEX (PRIMARY)
                SET owner = ?, epoch = epoch + 1, lease_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, routing = ?
                WHERE {lanes}
                """.replace("{lanes}", LANES);
    }

    @Override
    public String routingOf() {
        return "SELECT routing FROM postroom_node WHERE node = ?";
    }

    @Override
    public String addRouting() {
        return """
                INSERT INTO postroom_routing (fingerprint, routes, first_seen)
                SELECT ?, ?, COALESCE(GREATEST(UTC_TIMESTAMP(6), MAX(r.first_seen) + INTERVAL 1 MICROSECOND), UTC_TIMESTAMP(6))
                FROM postroom_routing r
                WHERE r.fingerprint > ''
                HAVING COUNT(CASE WHEN r.fingerprint = ? THEN 1 END) = 0
                """;
    }

    @Override
    public String beginForce() {
        return """
                UPDATE postroom_routing FORCE INDEX (PRIMARY)
                SET in_force_from = COALESCE(in_force_from, UTC_TIMESTAMP(6)), in_force_to = NULL
                WHERE fingerprint = ? AND (in_force_from IS NULL OR in_force_to IS NOT NULL)
                """;
    }

    @Override
    public String endForce() {
        return "UPDATE postroom_routing FORCE INDEX (PRIMARY) SET in_force_to = UTC_TIMESTAMP(6) WHERE fingerprint = ?";
    }

    @Override
    public String release() {
        return """
                UPDATE postroom_lane FORCE INDEX (PRIMARY)
                SET owner = NULL, lease_until = NULL, reserved_from = 0, reserved_to = 0
                WHERE {lanes}
                """.replace("{lanes}", LANES);
    }

    @Override
    public String reserve() {
        return "UPDATE postroom_lane SET reserved_from = ?, reserved_to = ? WHERE lane = ?";
    }

    @Override
    public String report() {
        return """
                INSERT INTO postroom_node (node, host, version, details, routing, lease_ms, ripe_after_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON DUPLICATE KEY UPDATE
                    host = VALUES(host), version = VALUES(version), details = VALUES(details), routing = VALUES(routing),
                    lease_ms = VALUES(lease_ms), ripe_after_ms = VALUES(ripe_after_ms), last_seen = UTC_TIMESTAMP(6)
                """;
    }

    @Override
    public String leave() {
        return "DELETE FROM postroom_node WHERE node = ?";
    }

    @Override
    public String liveNodes() {
        return """
                SELECT n.node, n.host, n.routing,
                    (SELECT r.first_seen FROM postroom_routing r WHERE r.fingerprint = n.routing) AS first_seen,
                    n.ripe_after_ms = 0
                        OR TIMESTAMPDIFF(MICROSECOND, n.started_at, UTC_TIMESTAMP(6)) >= n.ripe_after_ms * 1000 AS ripe,
                    (SELECT COUNT(*) FROM postroom_lane l WHERE l.owner = n.node) AS lanes
                FROM postroom_node n
                WHERE n.last_seen BETWEEN
                    UTC_TIMESTAMP(6) - INTERVAL GREATEST(?, n.lease_ms * 1000) MICROSECOND
                    AND UTC_TIMESTAMP(6) + INTERVAL GREATEST(?, n.lease_ms * 1000) MICROSECOND
                ORDER BY n.node
                """;
    }

    @Override
    public String destinations() {
        return "SELECT bit, name FROM postroom_destination";
    }

    @Override
    public String addDestination() {
        return "INSERT INTO postroom_destination (bit, name) VALUES (?, ?)";
    }
}
