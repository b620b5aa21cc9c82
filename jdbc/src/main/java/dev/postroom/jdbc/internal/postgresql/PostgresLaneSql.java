package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.LaneSql;

/**
 * Lanes in PostgreSQL. The clock is the one that moves on within a transaction. Small tables are read along their indexes, too: a
 * relay's session has scans switched off, and one that has no other way looks dear.
 */
final class PostgresLaneSql implements LaneSql {

    @Override
    public String lanes() {
        return """
                SELECT lane, owner, epoch, COALESCE(lease_until <= clock_timestamp(), FALSE) AS expired, lease_until,
                    reserved_from, reserved_to, routing
                FROM postroom_lane
                ORDER BY lane
                """;
    }

    @Override
    public String lock() {
        return """
                SELECT lane, owner, epoch, COALESCE(lease_until <= clock_timestamp(), FALSE) AS expired, lease_until,
                    reserved_from, reserved_to, routing
                FROM postroom_lane
                WHERE {lanes}
                ORDER BY lane
                FOR UPDATE
                """.replace("{lanes}", LANES);
    }

    @Override
    public String prolong() {
        return """
                UPDATE postroom_lane
                SET lease_until = clock_timestamp() + ?::double precision * interval '1 microsecond'
                WHERE {lanes}
                """.replace("{lanes}", LANES);
    }

    @Override
    public String take() {
        return """
                UPDATE postroom_lane
                SET owner = ?, epoch = epoch + 1, lease_until = clock_timestamp() + ?::double precision * interval '1 microsecond',
                    routing = ?
                WHERE {lanes}
                """.replace("{lanes}", LANES);
    }

    @Override
    public String routingOf() {
        return "SELECT routing FROM postroom_node WHERE node = ?::text";
    }

    @Override
    public String addRouting() {
        return """
                INSERT INTO postroom_routing (fingerprint, routes, first_seen)
                SELECT ?::text, ?::text, COALESCE(GREATEST(clock_timestamp(), MAX(r.first_seen) + interval '1 microsecond'), clock_timestamp())
                FROM postroom_routing r
                WHERE r.fingerprint > ''
                HAVING COALESCE(SUM(CASE WHEN r.fingerprint = ?::text THEN 1 ELSE 0 END), 0) = 0
                """;
    }

    @Override
    public String beginForce() {
        return """
                UPDATE postroom_routing
                SET in_force_from = COALESCE(in_force_from, clock_timestamp()), in_force_to = NULL
                WHERE fingerprint = ?::text AND (in_force_from IS NULL OR in_force_to IS NOT NULL)
                """;
    }

    @Override
    public String endForce() {
        return "UPDATE postroom_routing SET in_force_to = clock_timestamp() WHERE fingerprint = ?::text";
    }

    @Override
    public String release() {
        return """
                UPDATE postroom_lane
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
                ON CONFLICT (node) DO UPDATE
                SET host = excluded.host, version = excluded.version, details = excluded.details,
                    routing = excluded.routing, lease_ms = excluded.lease_ms, ripe_after_ms = excluded.ripe_after_ms,
                    last_seen = clock_timestamp()
                """;
    }

    @Override
    public String leave() {
        return "DELETE FROM postroom_node WHERE node = ?::text";
    }

    @Override
    public String liveNodes() {
        return """
                SELECT n.node, n.host, n.routing,
                    (SELECT r.first_seen FROM postroom_routing r WHERE r.fingerprint = n.routing) AS first_seen,
                    n.ripe_after_ms = 0
                        OR clock_timestamp() >= n.started_at + n.ripe_after_ms::double precision * interval '1 millisecond' AS ripe, (
                    SELECT COUNT(*) FROM postroom_lane l WHERE l.lane BETWEEN 0 AND 63 AND l.owner = n.node) AS lanes
                FROM postroom_node n
                WHERE n.last_seen BETWEEN
                    clock_timestamp() - GREATEST(?::double precision, n.lease_ms * 1000) * interval '1 microsecond'
                    AND clock_timestamp() + GREATEST(?::double precision, n.lease_ms * 1000) * interval '1 microsecond'
                ORDER BY n.node
                """;
    }

    @Override
    public String destinations() {
        return "SELECT bit, name FROM postroom_destination ORDER BY bit";
    }

    @Override
    public String addDestination() {
        return "INSERT INTO postroom_destination (bit, name) VALUES (?, ?)";
    }
}
