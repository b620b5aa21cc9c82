package dev.postroom.jdbc.internal;

import dev.postroom.operations.RoutingText;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lanes in a table. Whatever changes a lane locks it first and decides on what it then sees, so that the statements that
 * change need no conditions, and every answer is exact.
 */
public final class JdbcLanes implements LaneStore {
    private final Session session;
    private final LaneSql sql;
    private final SqlNames names;
    private final Timestamps timestamps;
    private final DestinationBits destinationBits;
    private final RoutingRecords routings;
    /** The routing that is known to be remembered, so that a report is one statement. */
    private String remembered = "";

    public JdbcLanes(Session session, LaneSql sql, Timestamps timestamps, SqlNames names) {
        this.session = session;
        this.sql = sql;
        this.names = names;
        this.timestamps = timestamps;
        this.destinationBits = new DestinationBits(sql, names);
        this.routings = new RoutingRecords(sql, names);
    }

    @Override
    public List<Lane> lanes() {
        return session.call("read the lanes", this::lanes);
    }

    private List<Lane> lanes(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql.lanes())) {
            return rows(statement, new HashMap<>());
        }
    }

    private List<Lane> locked(Connection connection, List<Integer> lanes) throws SQLException {
        return locked(connection, lanes, new HashMap<>());
    }

    private List<Lane> locked(Connection connection, List<Integer> lanes, Map<Integer, String> routingOf)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql.lock())) {
            new Values(statement).numbers(lanes, LANES);
            return rows(statement, routingOf);
        }
    }

    private static List<Lane> rows(PreparedStatement statement, Map<Integer, String> routingOf) throws SQLException {
        List<Lane> lanes = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                lanes.add(new Lane(
                        row.getInt("lane"),
                        row.getString("owner"),
                        row.getLong("epoch"),
                        row.getString("lease_until"),
                        row.getBoolean("expired"),
                        row.getLong("reserved_from"),
                        row.getLong("reserved_to")));
                String routing = row.getString("routing");
                if (routing != null) {
                    routingOf.put(row.getInt("lane"), routing);
                }
            }
        }
        return lanes;
    }

    @Override
    public List<Lease> renew(String owner, Duration lease) {
        return session.transaction("renew the lanes", connection -> {
            // Looked up without locks first: a search by owner would lock, and wait for, other relays' lanes too.
            List<Integer> mine = numbers(ownedBy(owner, lanes(connection)));
            List<Lane> held = mine.isEmpty() ? List.of() : ownedBy(owner, locked(connection, mine));
            if (!held.isEmpty()) {
                try (PreparedStatement statement = prepare(connection, sql.prolong())) {
                    new Values(statement).number(Micros.of(lease)).numbers(numbers(held), LANES);
                    statement.executeUpdate();
                }
            }
            return held.stream().map(lane -> lease(lane, lane.epoch(), false)).toList();
        });
    }

    @Override
    public List<Lease> acquire(String owner, Collection<Integer> lanes, Duration lease) {
        if (lanes.isEmpty()) {
            return List.of();
        }
        return session.transaction("acquire lanes", connection -> {
            Map<Integer, String> routingOf = new HashMap<>();
            List<Lane> free = locked(connection, List.copyOf(lanes), routingOf).stream()
                    .filter(lane -> lane.owner() == null || lane.expired())
                    .toList();
            if (!free.isEmpty()) {
                take(connection, owner, lease, numbers(free), routingOf);
            }
            return free.stream()
                    .map(lane -> lease(lane, lane.epoch() + 1, lane.owner() != null && !owner.equals(lane.owner())))
                    .toList();
        });
    }

    private void take(
            Connection connection, String owner, Duration lease, List<Integer> lanes, Map<Integer, String> routingOf)
            throws SQLException {
        String routing = routings.of(connection, owner);
        try (PreparedStatement statement = prepare(connection, sql.take())) {
            new Values(statement)
                    .text(owner)
                    .number(Micros.of(lease))
                    .text(routing)
                    .numbers(lanes, LANES);
            statement.executeUpdate();
        }
        if (routing != null && lanes.stream().anyMatch(lane -> !routing.equals(routingOf.get(lane)))) {
            routingOf.keySet().retainAll(lanes);
            routings.handOver(connection, Set.copyOf(routingOf.values()), routing);
        }
    }

    @Override
    public void release(String owner, Collection<Lease> leases) {
        if (leases.isEmpty()) {
            return;
        }
        session.transaction("release lanes", connection -> {
            List<Lane> held = held(connection, owner, leases);
            if (!held.isEmpty()) {
                try (PreparedStatement statement = prepare(connection, sql.release())) {
                    new Values(statement).numbers(numbers(held), LANES);
                    statement.executeUpdate();
                }
            }
            return held;
        });
    }

    private List<Lane> held(Connection connection, String owner, Collection<Lease> leases) throws SQLException {
        return locked(connection, leases.stream().map(Lease::lane).toList()).stream()
                .filter(lane -> owner.equals(lane.owner()))
                .filter(lane ->
                        leases.stream().anyMatch(lease -> lease.lane() == lane.lane() && lease.epoch() == lane.epoch()))
                .toList();
    }

    @Override
    public List<Lease> reserve(String owner, Collection<Reservation> reservations) {
        if (reservations.isEmpty()) {
            return List.of();
        }
        return session.transaction("reserve what is to be read", connection -> {
            List<Lane> locked = locked(
                    connection, reservations.stream().map(Reservation::lane).toList());
            List<Lease> reserved = new ArrayList<>();
            try (PreparedStatement statement = prepare(connection, sql.reserve())) {
                Values values = new Values(statement);
                for (Reservation reservation : reservations) {
                    if (locked.stream().anyMatch(lane -> isHeld(lane, owner, reservation))) {
                        values.number(reservation.from())
                                .number(reservation.to())
                                .number(reservation.lane())
                                .addBatch();
                        reserved.add(new Lease(
                                reservation.lane(), reservation.epoch(), false, reservation.from(), reservation.to()));
                    }
                }
                if (!reserved.isEmpty()) {
                    statement.executeBatch();
                }
            }
            return reserved;
        });
    }

    private static boolean isHeld(Lane lane, String owner, Reservation reservation) {
        return lane.lane() == reservation.lane() && owner.equals(lane.owner()) && lane.epoch() == reservation.epoch();
    }

    private static List<Lane> ownedBy(String owner, List<Lane> lanes) {
        return lanes.stream().filter(lane -> owner.equals(lane.owner())).toList();
    }

    private static List<Integer> numbers(List<Lane> lanes) {
        return lanes.stream().map(Lane::lane).toList();
    }

    private static Lease lease(Lane lane, long epoch, boolean tookOver) {
        return new Lease(lane.lane(), epoch, tookOver, lane.suspectFrom(), lane.suspectTo());
    }

    @Override
    public void report(NodeReport report) {
        remember(report.routing());
        session.call("report this relay", connection -> {
            try (PreparedStatement statement = prepare(connection, sql.report())) {
                new Values(statement)
                        .text(report.node())
                        .text(report.host())
                        .text(report.version())
                        .text(report.details())
                        .text(report.routing().fingerprint())
                        .number(report.lease().toMillis())
                        .number(report.ripeAfter().toMillis());
                return statement.executeUpdate();
            }
        });
    }

    private void remember(RoutingText routing) {
        String fingerprint = routing.fingerprint();
        if (fingerprint.isEmpty() || fingerprint.equals(remembered)) {
            return;
        }
        session.transaction("remember the routing", connection -> {
            // One relay at a time adds one, as with destinations.
            locked(connection, List.of(0));
            routings.add(connection, routing);
            return fingerprint;
        });
        remembered = fingerprint;
    }

    @Override
    public void leave(String node) {
        session.call("forget this relay", connection -> {
            try (PreparedStatement statement = prepare(connection, sql.leave())) {
                new Values(statement).text(node);
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public List<LiveNode> liveNodes(Duration within) {
        return session.call("list the relays", connection -> {
            try (PreparedStatement statement = prepare(connection, sql.liveNodes())) {
                new Values(statement).number(Micros.of(within)).number(Micros.of(within));
                List<LiveNode> nodes = new ArrayList<>();
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        nodes.add(live(row));
                    }
                }
                return nodes;
            }
        });
    }

    private LiveNode live(ResultSet row) throws SQLException {
        Instant firstSeen = timestamps.get(row, "first_seen");
        if (firstSeen == null && remembered.equals(row.getString("routing"))) {
            remembered = ""; // A server that took over may have lost ours; it is added with the next report.
        }
        return new LiveNode(
                row.getString("node"),
                row.getString("host"),
                row.getInt("lanes"),
                row.getString("routing"),
                firstSeen == null ? Instant.EPOCH : firstSeen,
                row.getBoolean("ripe"));
    }

    @Override
    public Destinations destinations(Collection<String> wanted) {
        return session.transaction("register destinations", connection -> {
            // One relay at a time gives out bits; the first lane's row serves as the lock.
            locked(connection, List.of(0));
            return destinationBits.of(connection, wanted);
        });
    }

    private PreparedStatement prepare(Connection connection, String text) throws SQLException {
        return connection.prepareStatement(names.in(text));
    }

    @Override
    public void cancel() {
        session.cancel();
    }

    @Override
    public void close() {
        session.close();
    }
}
