package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lanes and relays as {@link LaneStore} says, by the database's clock. */
final class SimulatedLanes implements LaneStore {
    private final DatabaseClock clock;
    private final DatabaseObserver observer;
    private final List<State> lanes = new ArrayList<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Instant> routings = new TreeMap<>();
    private final Map<String, Integer> bits = new TreeMap<>();
    private long renewals;

    SimulatedLanes(DatabaseClock clock, DatabaseObserver observer) {
        this.clock = clock;
        this.observer = observer;
        for (int lane = 0; lane < LANES; lane++) {
            lanes.add(new State(lane));
        }
    }

    private static final class State {
        final int lane;

        @Nullable
        String owner;

        /** What it was last taken for. */
        @Nullable
        String routing;

        @Nullable
        Instant until;

        @Nullable
        String mark;

        long epoch;
        long reservedFrom;
        long reservedTo;

        State(int lane) {
            this.lane = lane;
        }

        boolean expired(Instant now) {
            return until != null && !until.isAfter(now);
        }

        Lease lease(boolean tookOver) {
            return new Lease(lane, epoch, tookOver, reservedFrom, reservedTo);
        }
    }

    private record Node(NodeReport report, Instant startedAt, Instant lastSeen) {
        boolean isLive(Instant now, Duration within) {
            Duration silence = Duration.between(lastSeen, now).abs();
            return silence.compareTo(within) <= 0 || silence.compareTo(report.lease()) <= 0;
        }
    }

    @Override
    public List<Lane> lanes() {
        Instant now = clock.now();
        return lanes.stream()
                .map(lane -> new Lane(
                        lane.lane,
                        lane.owner,
                        lane.epoch,
                        lane.mark,
                        lane.expired(now),
                        lane.reservedFrom,
                        lane.reservedTo))
                .toList();
    }

    @Override
    public List<Lease> renew(String owner, Duration lease) {
        Instant until = clock.now().plus(lease);
        String mark = newMark();
        List<Lease> held = new ArrayList<>();
        for (State lane : lanes) {
            if (owner.equals(lane.owner)) {
                lane.until = until;
                lane.mark = mark;
                held.add(lane.lease(false));
            }
        }
        return held;
    }

    @Override
    public List<Lease> acquire(String owner, Collection<Integer> wanted, Duration lease) {
        Instant now = clock.now();
        String mark = newMark();
        List<Lease> taken = new ArrayList<>();
        for (int number : wanted.stream().sorted().toList()) {
            State lane = lanes.get(number);
            String before = lane.owner;
            if (before == null || lane.expired(now)) {
                lane.owner = owner;
                lane.routing = routingOf(owner);
                lane.until = now.plus(lease);
                lane.mark = mark;
                lane.epoch++;
                taken.add(lane.lease(before != null && !before.equals(owner)));
                observer.acquired(number, owner, before);
            }
        }
        return taken;
    }

    @Override
    public void release(String owner, Collection<Lease> leases) {
        for (Lease lease : leases) {
            if (isHeld(lease.lane(), owner, lease.epoch())) {
                State lane = lanes.get(lease.lane());
                lane.owner = null;
                lane.until = null;
                lane.mark = null;
                lane.reservedFrom = 0;
                lane.reservedTo = 0;
                observer.released(lease.lane(), owner);
            }
        }
    }

    @Override
    public List<Lease> reserve(String owner, Collection<Reservation> reservations) {
        List<Lease> reserved = new ArrayList<>();
        for (Reservation reservation : reservations) {
            if (isHeld(reservation.lane(), owner, reservation.epoch())) {
                State lane = lanes.get(reservation.lane());
                lane.reservedFrom = reservation.from();
                lane.reservedTo = reservation.to();
                reserved.add(lane.lease(false));
            }
        }
        return reserved;
    }

    private String newMark() {
        return "renewal " + ++renewals;
    }

    boolean isHeld(int number, String owner, long epoch) {
        State lane = lanes.get(number);
        return owner.equals(lane.owner) && lane.epoch == epoch;
    }

    /** Whether a lane was taken by somebody for another routing than this relay's. */
    boolean isOthers(int number, String relay) {
        State lane = lanes.get(number);
        String routing = routingOf(relay);
        return !relay.equals(lane.owner) && lane.routing != null && routing != null && !routing.equals(lane.routing);
    }

    private @Nullable String routingOf(String relay) {
        Node node = nodes.get(relay);
        return node == null ? null : node.report().routing().fingerprint();
    }

    @Nullable
    String owner(int lane) {
        return lanes.get(lane).owner;
    }

    @Override
    public void report(NodeReport report) {
        Instant now = clock.now();
        Node before = nodes.get(report.node());
        routings.computeIfAbsent(report.routing().fingerprint(), unknown -> newest(now));
        nodes.put(report.node(), new Node(report, before == null ? now : before.startedAt(), now));
    }

    /** Newer than all others, whatever the clock says. */
    private Instant newest(Instant now) {
        Instant after = routings.values().stream()
                .max(Comparator.naturalOrder())
                .map(latest -> latest.plusNanos(1_000))
                .orElse(now);
        return after.isAfter(now) ? after : now;
    }

    @Override
    public void leave(String node) {
        nodes.remove(node);
    }

    @Override
    public List<LiveNode> liveNodes(Duration within) {
        Instant now = clock.now();
        List<LiveNode> live = nodes.values().stream()
                .filter(node -> node.isLive(now, within))
                .map(node -> live(node, now))
                .toList();
        observer.looked(live);
        return live;
    }

    private LiveNode live(Node node, Instant now) {
        String routing = node.report().routing().fingerprint();
        return new LiveNode(
                node.report().node(),
                node.report().host(),
                count(node.report().node()),
                routing,
                Objects.requireNonNull(routings.get(routing)),
                node.report().ripeAfter().isZero()
                        || Duration.between(node.startedAt(), now)
                                        .compareTo(node.report().ripeAfter())
                                >= 0);
    }

    private int count(String owner) {
        return (int) lanes.stream().filter(lane -> owner.equals(lane.owner)).count();
    }

    @Override
    public Destinations destinations(Collection<String> names) {
        Map<String, Integer> asked = new TreeMap<>();
        for (String name : names) {
            bits.putIfAbsent(name, bits.size());
            asked.put(name, bits.get(name));
        }
        return new Destinations(asked);
    }

    @Override
    public void close() {}
}
