package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.AbsentDestination;
import dev.postroom.operations.DeliveryFacts;
import dev.postroom.operations.Pause;
import dev.postroom.operations.RoutingItem;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what explains why a live message has not been sent. */
final class WaitingFacts {
    private static final String LANE = "SELECT l.owner, l.lease_until FROM postroom_lane l WHERE l.lane = ?";
    private static final String RELAYS =
            "SELECT COUNT(*) FROM postroom_node n WHERE " + Nodes.ANY_NODE + " AND n.last_seen > ?";

    private final EarlierMessages earlier;
    private final Pauses pauses;

    WaitingFacts(OperationsSql sql, Pauses pauses) {
        this.earlier = new EarlierMessages(sql);
        this.pauses = pauses;
    }

    DeliveryFacts of(Statements statements, MessageDetails.Row row) throws SQLException {
        Instant now = statements.now();
        Lane lane = lane(statements, row.lane());
        RoutingItem inForce = Nodes.routingInForce(statements);
        long relays = statements.count(RELAYS, List.of(now.minus(DeliveryFacts.RELAY_SILENCE)));
        return new DeliveryFacts(
                now,
                row.due(),
                row.headers().defect(),
                earlier.first(statements, row, inForce),
                pauses.all(statements).stream()
                        .filter(pause -> concerns(pause.target(), row))
                        .toList(),
                lane.owner,
                lane.leaseUntil != null && !lane.leaseUntil.isAfter(now),
                (int) Math.min(Integer.MAX_VALUE, relays),
                absent(statements, row.onlyDestination()),
                isUnrouted(inForce, row));
    }

    private static boolean isUnrouted(@Nullable RoutingItem inForce, MessageDetails.Row row) {
        return row.onlyDestination() == null
                && inForce != null
                && inForce.isWhole()
                && inForce.routes().destinations(row.item().stream().topic()).isEmpty();
    }

    private static @Nullable AbsentDestination absent(Statements statements, @Nullable String onlyDestination)
            throws SQLException {
        return onlyDestination == null
                ? null
                : AbsentDestination.of(onlyDestination, Nodes.routings(statements), Nodes.nodes(statements))
                        .orElse(null);
    }

    /** A paused destination may be on its route; the tables do not know, unless it is a replay. */
    private static boolean concerns(Pause.Target target, MessageDetails.Row row) {
        if (target.topic() != null) {
            return target.topic().equals(row.item().stream().topic());
        }
        return target.destination() == null
                || row.onlyDestination() == null
                || target.destination().equals(row.onlyDestination());
    }

    private static Lane lane(Statements statements, int lane) throws SQLException {
        List<Lane> found = statements.all(
                LANE,
                List.of(lane),
                row -> new Lane(row.getString("owner"), statements.timestamps().get(row, "lease_until")));
        return found.isEmpty() ? new Lane(null, null) : found.get(0);
    }

    private record Lane(@Nullable String owner, @Nullable Instant leaseUntil) {}
}
