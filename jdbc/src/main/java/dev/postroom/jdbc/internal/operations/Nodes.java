package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.DeliveryFacts;
import dev.postroom.operations.LaneItem;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.RoutingItem;
import dev.postroom.operations.RoutingText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Relays, what they tell about themselves, and which lanes are whose. */
final class Nodes {
    private static final int MOST = 500;

    /** True for every node: so that the table is read along its primary key where scans look dear. */
    static final String ANY_NODE = "n.node > ''";

    private static final String NODES = """
            SELECT n.node, n.host, n.version, n.started_at, n.last_seen, n.details, n.routing,
                (SELECT COUNT(*) FROM postroom_lane l
                    WHERE l.lane BETWEEN 0 AND 63 AND l.owner = n.node AND l.lease_until > ?) AS lanes
            FROM postroom_node n
            WHERE {any}
            ORDER BY n.last_seen DESC
            LIMIT ?
            """.replace("{any}", ANY_NODE);
    private static final String LANES =
            "SELECT l.lane, l.owner, l.epoch, l.lease_until FROM postroom_lane l ORDER BY l.lane";
    private static final String ROUTINGS = """
            SELECT r.fingerprint, r.routes, r.first_seen, r.in_force_from, r.in_force_to,
                (SELECT COUNT(*) FROM postroom_lane l
                    WHERE l.lane BETWEEN 0 AND 63 AND l.routing = r.fingerprint) AS lanes
            FROM postroom_routing r
            WHERE r.fingerprint > ''
            ORDER BY r.first_seen DESC
            LIMIT ?
            """;
    private static final String IN_FORCE = """
            SELECT r.fingerprint, r.routes, r.first_seen, r.in_force_from, r.in_force_to, 0 AS lanes
            FROM postroom_routing r
            WHERE r.fingerprint > '' AND r.in_force_from IS NOT NULL AND r.in_force_to IS NULL
            ORDER BY r.first_seen DESC
            LIMIT 1
            """;
    private static final String REPORTS = "SELECT n.details FROM postroom_node n WHERE " + ANY_NODE
            + " AND n.last_seen > ? ORDER BY n.last_seen DESC LIMIT ?";

    private Nodes() {}

    static List<NodeItem> nodes(Statements statements) throws SQLException {
        Instant now = statements.now();
        return statements.all(NODES, List.of(now, MOST), row -> {
            Instant seen = statements.timestamps().require(row, "last_seen");
            return new NodeItem(
                    row.getString("node"),
                    row.getString("host"),
                    row.getString("version"),
                    statements.timestamps().require(row, "started_at"),
                    seen,
                    seen.isAfter(now.minus(DeliveryFacts.RELAY_SILENCE)),
                    row.getInt("lanes"),
                    row.getString("details"),
                    row.getString("routing"),
                    RelayReports.read(row.getString("details")));
        });
    }

    static List<RoutingItem> routings(Statements statements) throws SQLException {
        return statements.all(ROUTINGS, List.of(MOST), row -> routing(statements, row));
    }

    /** By which messages are delivered now, without its lanes; null before the first relay. */
    static @Nullable RoutingItem routingInForce(Statements statements) throws SQLException {
        return statements.all(IN_FORCE, List.of(), row -> routing(statements, row)).stream()
                .findFirst()
                .orElse(null);
    }

    private static RoutingItem routing(Statements statements, ResultSet row) throws SQLException {
        return new RoutingItem(
                row.getString("fingerprint"),
                new RoutingText(row.getString("routes")),
                statements.timestamps().require(row, "first_seen"),
                statements.timestamps().get(row, "in_force_from"),
                statements.timestamps().get(row, "in_force_to"),
                row.getInt("lanes"));
    }

    static List<LaneItem> lanes(Statements statements) throws SQLException {
        return statements.all(
                LANES,
                List.of(),
                row -> new LaneItem(
                        row.getInt("lane"),
                        row.getString("owner"),
                        row.getLong("epoch"),
                        statements.timestamps().get(row, "lease_until")));
    }

    /** The sum of what live relays report as {@code inFlight}. */
    static long inFlight(Statements statements) throws SQLException {
        Instant since = statements.now().minus(DeliveryFacts.RELAY_SILENCE);
        return statements
                .all(
                        REPORTS,
                        List.of(since, MOST),
                        row -> RelayReports.read(row.getString("details")).inFlight())
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
