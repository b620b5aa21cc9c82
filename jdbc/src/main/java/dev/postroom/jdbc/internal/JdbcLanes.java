package dev.postroom.jdbc.internal;

import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Lanes in a table. Whatever changes a lane locks it first and decides on what it then sees, so that the statements that
 * change need no conditions, and every answer is exact.
 */
public final class JdbcLanes implements LaneStore {
    private final Session session;
    private final LaneSql sql;
    private final SqlNames names;
    private final DestinationBits destinationBits;

    public JdbcLanes(Session session, LaneSql sql, SqlNames names) {
        this.session = session;
        this.sql = sql;
        this.names = names;
        this.destinationBits = new DestinationBits(sql, names);
    }

    @Override
    public List<Lane> lanes() {
        return session.call("read the lanes", this::lanes);
    }

    private List<Lane> lanes(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql.lanes())) {
            return rows(statement);
        }
    }

    private List<Lane> locked(Connection connection, List<Integer> lanes) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql.lock())) {
            new Values(statement).numbers(lanes, LANES);
            return rows(statement);
        }
    }

    private static List<Lane> rows(PreparedStatement statement) throws SQLException {
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
            List<Lane> free = locked(connection, List.copyOf(lanes)).stream()
                    .filter(lane -> lane.owner() == null || lane.expired())
                    .toList();
            if (!free.isEmpty()) {
                try (PreparedStatement statement = prepare(connection, sql.take())) {
                    new Values(statement).text(owner).number(Micros.of(lease)).numbers(numbers(free), LANES);
                    statement.executeUpdate();
                }
            }
            return free.stream()
                    .map(lane -> lease(lane, lane.epoch() + 1, lane.owner() != null && !owner.equals(lane.owner())))
                    .toList();
        });
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
        session.call("report this relay", connection -> {
            try (PreparedStatement statement = prepare(connection, sql.report())) {
                new Values(statement)
                        .text(report.node())
                        .text(report.host())
                        .text(report.version())
                        .text(report.details());
                return statement.executeUpdate();
            }
        });
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
                new Values(statement).number(Micros.of(within));
                List<LiveNode> nodes = new ArrayList<>();
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        nodes.add(new LiveNode(row.getString("node"), row.getString("host"), row.getInt("lanes")));
                    }
                }
                return nodes;
            }
        });
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
