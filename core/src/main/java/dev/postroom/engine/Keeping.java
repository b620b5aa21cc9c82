package dev.postroom.engine;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.LaneStore.Lane;
import dev.postroom.spi.LaneStore.Lease;
import dev.postroom.spi.LaneStore.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keeper's desk: renews the leases, takes this relay's fair share of the lanes, gives back what is too much, and
 * reserves what is to be sent. A lane is trusted only until a deadline on this machine's own forward clock, counted from
 * before the renewal was sent.
 */
final class Keeping {
    private static final int FEWEST_AHEAD = 256;
    private static final long OFTEN = Duration.ofMillis(250).toNanos();
    private static final long SELDOM = Duration.ofSeconds(2).toNanos();

    private final EngineState state;
    private final Runnable onLost;
    private final NodeDetails details;
    private final Map<Integer, Seen> seen = new HashMap<>();
    private final long lease;
    private final long margin;
    private final String routing;

    private Command.@Nullable ForKeeper outstanding;
    private long issuedAt;
    private long nextBeat = Long.MIN_VALUE;
    /** When the latest look at the other relays began that was answered. */
    private long lookedAt;

    private List<Integer> wanted = List.of();
    private boolean reservationNeeded;
    private boolean reportOutdated;
    private long reservedAt;
    private long ahead = FEWEST_AHEAD;
    private @Nullable Moment baseline;
    private boolean left;

    /** What another relay's lane looked like, and since when it does. */
    private record Seen(
            @Nullable String owner, long epoch, @Nullable String leaseMark, long since) {
        boolean isSame(Lane lane) {
            return Objects.equals(owner, lane.owner())
                    && epoch == lane.epoch()
                    && Objects.equals(leaseMark, lane.leaseMark());
        }
    }

    Keeping(EngineState state, NodeDetails details, Runnable onLost) {
        this.state = state;
        this.details = details;
        this.onLost = onLost;
        this.lease = state.settings.lease().toNanos();
        this.margin = lease / 6;
        this.routing = state.routes.text().fingerprint();
    }

    boolean hasLeft() {
        return left;
    }

    /** Something of this lane cannot be sent before the lane is reserved further. */
    void needReservation(OwnedLane lane) {
        reservationNeeded = true;
    }

    long nextTurn() {
        if (outstanding != null || left) {
            return Long.MAX_VALUE;
        }
        boolean eager = !state.stopping && (reservationNeeded || !wanted.isEmpty() || reportOutdated);
        boolean leaving = state.stopping && state.lanes.isEmpty();
        return nextBeat == Long.MIN_VALUE || eager || leaving ? state.nanos() : nextBeat;
    }

    void turn() {
        if (outstanding != null || left) {
            return;
        }
        if (state.stopping && state.lanes.isEmpty()) {
            issue(new Command.Leave(state.settings.owner()));
        } else if (nextBeat == Long.MIN_VALUE || state.nanos() - nextBeat >= 0) {
            beat();
        } else if (reservationNeeded && !state.stopping) {
            reserve();
        } else if (!wanted.isEmpty() && !state.stopping) {
            issue(new Command.Acquire(state.settings.owner(), wanted, state.settings.lease()));
            wanted = List.of();
        } else if (reportOutdated && !state.stopping) {
            beat();
        }
    }

    private void beat() {
        reportOutdated = false;
        baseline = state.now;
        nextBeat = state.nanos() + lease / 3;
        // Each lives as long as its own lease says: relays that judge by leases of their own would not agree on who is
        // in force.
        issue(new Command.Beat(state.settings.owner(), state.settings.lease(), details.report(), Duration.ZERO));
    }

    private void issue(Command.ForKeeper command) {
        outstanding = command;
        issuedAt = state.nanos();
        state.out.accept(command);
    }

    /** The machine slept, or its clock was set: how much time really passed is not known, so nothing is trusted. */
    void distrustAfterJump() {
        if (baseline != null) {
            long forward = (state.nanos() - baseline.nanos()) / 1_000_000;
            long wall = state.now.wallMillis() - baseline.wallMillis();
            if (Math.abs(wall - forward) > margin / 1_000_000) {
                baseline = null;
                nextBeat = Long.MIN_VALUE;
                // A renewal that is under way was counted by the clock that cannot be believed.
                issuedAt = state.nanos() - lease;
                state.lanes.values().forEach(lane -> lane.trustedUntil = state.nanos());
                state.listener.lanes(state.lanes.size(), "the clock jumped");
            }
        }
    }

    void failed() {
        Command.ForKeeper failed = outstanding;
        outstanding = null;
        if (failed instanceof Command.Leave) {
            left = true;
        } else if (failed instanceof Command.Reserve) {
            reservationNeeded = true;
        }
        if (failed instanceof Command.Beat || nextBeat < state.nanos() + lease / 10) {
            nextBeat = state.nanos() + lease / 10;
        }
    }

    void left() {
        outstanding = null;
        left = true;
    }

    void beaten(List<Lease> held, List<Lane> lanes, List<LaneStore.LiveNode> nodes) {
        outstanding = null;
        details.reported();
        long trustedUntil = issuedAt + lease - margin;
        Set<Integer> mine = new HashSet<>();
        for (Lease held1 : held) {
            mine.add(held1.lane());
            OwnedLane lane = state.lanes.get(held1.lane());
            if (lane == null || lane.lease.epoch() != held1.epoch()) {
                if (lane != null) {
                    lose(lane);
                }
                // Ours by the database, although the answer to the acquisition never came.
                Lease adopted = new Lease(
                        held1.lane(), held1.epoch(), held1.suspectTo() > 0, held1.suspectFrom(), held1.suspectTo());
                own(adopted, trustedUntil);
            } else {
                lane.trustedUntil = Math.max(lane.trustedUntil, trustedUntil);
            }
        }
        for (OwnedLane lane : List.copyOf(state.lanes.values())) {
            if (!mine.contains(lane.number)) {
                lose(lane);
            }
        }
        stand(nodes);
        state.forgetUnrouted();
        state.memory.ready.addAll(state.memory.entries());
        share(lanes, nodes);
    }

    private void own(Lease newLease, long trustedUntil) {
        OwnedLane lane = new OwnedLane(newLease, trustedUntil);
        lane.leaving = state.stopping;
        state.lanes.put(lane.number, lane);
    }

    private void lose(OwnedLane lane) {
        lane.lost = true;
        state.lanes.remove(lane.number);
        onLost.run();
        state.listener.lanes(state.lanes.size(), "lane " + lane.number + " was lost");
    }

    /** Whether relays with other routes are in force: then all lanes are given back in the ordinary way. */
    private void stand(List<LaneStore.LiveNode> nodes) {
        LaneStore.LiveNode inForce = InForce.among(nodes);
        boolean stoodBy = state.standsByFor != null;
        if (stoodBy && issuedAt - lookedAt > lease) {
            // Perhaps nobody could report while this relay could not look: those in force are only late, and keep their
            // lanes.
            seen.clear();
        }
        lookedAt = issuedAt;
        state.standsByFor = inForce == null || inForce.routing().equals(routing) ? null : inForce;
        boolean standsBy = state.standsByFor != null;
        if (standsBy != stoodBy) {
            // The report that has just been written says what was true before.
            reportOutdated = true;
        }
        if (inForce != null && standsBy) {
            state.lanes.values().forEach(lane -> lane.leaving = true);
            if (!stoodBy) {
                state.listener.standsBy(inForce);
            }
        } else if (stoodBy) {
            state.listener.isInForce();
        }
    }

    /** Each relay takes as many lanes as it may have when all in force share them; who has more gives back. */
    private void share(List<Lane> lanes, List<LaneStore.LiveNode> live) {
        List<LaneStore.LiveNode> nodes =
                live.stream().filter(node -> node.routing().equals(routing)).toList();
        boolean counted = nodes.stream().anyMatch(node -> node.node().equals(state.settings.owner()));
        int relays = Math.max(1, nodes.size() + (counted ? 0 : 1));
        int fair = (LaneStore.LANES + relays - 1) / relays;
        long staying =
                state.lanes.values().stream().filter(lane -> !lane.leaving).count();
        List<Integer> free = takable(lanes);
        wanted = List.of();
        if (state.stopping || state.standsByFor != null) {
            return;
        }
        if (staying > fair) {
            List<OwnedLane> own = new ArrayList<>(state.lanes.values());
            for (int i = own.size() - 1; i >= 0 && staying > fair; i--) {
                if (!own.get(i).leaving) {
                    own.get(i).leaving = true;
                    staying--;
                }
            }
        } else if (staying < fair && !free.isEmpty()) {
            // Begun at a random place, so that relays that start together do not all want the same.
            int first = (int) (state.random.getAsDouble() * free.size()) % free.size();
            List<Integer> some = new ArrayList<>();
            for (int i = 0; i < Math.min(fair - staying, free.size()); i++) {
                some.add(free.get((first + i) % free.size()));
            }
            wanted = some;
        }
    }

    /** Free lanes, and expired ones that nobody has renewed for a whole lease by our own clock too. */
    private List<Integer> takable(List<Lane> lanes) {
        List<Integer> takable = new ArrayList<>();
        for (Lane lane : lanes) {
            Seen before = seen.get(lane.lane());
            if (before == null || !before.isSame(lane)) {
                before = new Seen(lane.owner(), lane.epoch(), lane.leaseMark(), issuedAt);
                seen.put(lane.lane(), before);
            }
            boolean abandoned = lane.expired() && state.nanos() - before.since() >= lease;
            if (!state.lanes.containsKey(lane.lane()) && (lane.owner() == null || abandoned)) {
                takable.add(lane.lane());
            }
        }
        return takable;
    }

    void acquired(List<Lease> leases) {
        outstanding = null;
        for (Lease lane : leases) {
            own(lane, issuedAt + lease - margin);
        }
        if (!leases.isEmpty()) {
            state.listener.lanes(state.lanes.size(), "took " + leases.size());
        }
    }

    /** Far enough ahead that it is written a few times a second at most, and no further: it is what a crash makes suspect. */
    private void reserve() {
        reservationNeeded = false;
        long since = state.nanos() - reservedAt;
        if (since < OFTEN) {
            ahead = Math.min(ahead * 2, Math.max(FEWEST_AHEAD, 4L * state.settings.maxInFlight()));
        } else if (since > SELDOM) {
            ahead = Math.max(FEWEST_AHEAD, ahead / 2);
        }
        reservedAt = state.nanos();
        Map<Integer, Long> lowest = new HashMap<>();
        long highest = 0;
        for (Entry entry : state.memory.entries()) {
            lowest.merge(entry.key().lane(), entry.seq(), Math::min);
            highest = Math.max(highest, entry.seq());
        }
        for (OwnedLane lane : state.lanes.values()) {
            highest = Math.max(highest, lane.cursor);
        }
        List<Reservation> reservations = new ArrayList<>();
        for (OwnedLane lane : state.lanes.values()) {
            long from = Math.min(Counts.ahead(lane.cursor, 1), lowest.getOrDefault(lane.number, Long.MAX_VALUE));
            reservations.add(new Reservation(lane.number, lane.lease.epoch(), from, Counts.ahead(highest, ahead)));
        }
        if (!reservations.isEmpty()) {
            issue(new Command.Reserve(state.settings.owner(), reservations));
        }
    }

    void reserved(List<Lease> leases) {
        Command.Reserve asked = (Command.Reserve) Objects.requireNonNull(outstanding);
        outstanding = null;
        Map<Integer, Reservation> byLane = new HashMap<>();
        asked.reservations().forEach(reservation -> byLane.put(reservation.lane(), reservation));
        for (Lease recorded : leases) {
            OwnedLane lane = state.lanes.get(recorded.lane());
            Reservation reservation = byLane.get(recorded.lane());
            if (lane != null && reservation != null && lane.lease.epoch() == reservation.epoch()) {
                lane.reservedFrom = reservation.from();
                lane.reservedTo = reservation.to();
            }
        }
        state.memory.ready.addAll(state.memory.entries());
    }
}
