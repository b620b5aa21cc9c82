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
public final class Keeping<L extends HeldLane> {
    private static final int FEWEST_AHEAD = 256;
    private static final long OFTEN = Duration.ofMillis(250).toNanos();
    private static final long SELDOM = Duration.ofSeconds(2).toNanos();

    private final Owner<L> owner;
    private final Map<Integer, Seen> seen = new HashMap<>();
    private final long lease;
    private final long margin;
    private final String routing;

    private Command.@Nullable ForKeeper outstanding;
    private long issuedAt;
    private long nextBeat = Long.MIN_VALUE;
    /** When the latest look at the other relays began that was answered: everything that is trusted is trusted since then. */
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

    /** What the keeper needs to know of the engine that it keeps lanes for, and what it tells it. */
    public interface Owner<L extends HeldLane> {
        EngineSettings settings();

        Moment now();

        void give(Command command);

        EngineListener listener();

        /** A number from 0 up to 1. */
        double random();

        boolean isStopping();

        /** By number; the keeper alone adds and removes. */
        Map<Integer, L> lanes();

        /** A lane that was just taken. */
        L own(LaneStore.Lease lease, long trustedUntil);

        /** A lane that is another's by now. */
        void lost(L lane);

        /** Whose routes are in force; null when they are this relay's. */
        void standsByFor(LaneStore.@Nullable LiveNode inForce);

        LaneStore.@Nullable LiveNode standsByFor();

        LaneStore.NodeReport report();

        /** The report was answered. */
        void reported();

        /** What is trusted, or reserved, has changed: messages may be sent that had to wait. */
        void renewed();

        /** Lanes with messages in memory, and the lowest of each; nothing below the lane's next number need be there. */
        Map<Integer, Long> lowestInMemory();

        /** The number up to which this lane was read by whoever is foremost. */
        long readUpTo(L lane);

        /** The highest number in memory. */
        long highestInMemory();
    }

    /** @param routing the fingerprint of this relay's routes */
    public Keeping(Owner<L> owner, String routing) {
        this.owner = owner;
        this.lease = owner.settings().lease().toNanos();
        this.margin = lease / 6;
        this.routing = routing;
    }

    private long nanos() {
        return owner.now().nanos();
    }

    public boolean hasLeft() {
        return left;
    }

    /** Something of this lane cannot be sent before the lane is reserved further. */
    public void needReservation() {
        reservationNeeded = true;
    }

    public long nextTurn() {
        if (outstanding != null || left) {
            return Long.MAX_VALUE;
        }
        boolean eager = !owner.isStopping() && (reservationNeeded || mayAcquire() || reportOutdated);
        boolean leaving = owner.isStopping() && owner.lanes().isEmpty();
        return nextBeat == Long.MIN_VALUE || eager || leaving ? nanos() : nextBeat;
    }

    public void turn() {
        if (outstanding != null || left) {
            return;
        }
        if (owner.isStopping() && owner.lanes().isEmpty()) {
            issue(new Command.Leave(owner.settings().owner()));
        } else if (nextBeat == Long.MIN_VALUE || nanos() - nextBeat >= 0) {
            beat();
        } else if (reservationNeeded && !owner.isStopping()) {
            reserve();
        } else if (mayAcquire() && !owner.isStopping()) {
            issue(new Command.Acquire(
                    owner.settings().owner(), wanted, owner.settings().lease()));
            wanted = List.of();
        } else if (reportOutdated && !owner.isStopping()) {
            beat();
        }
    }

    /** What was wanted by an old look may have to be left alone by now: other routes may be in force. */
    private boolean mayAcquire() {
        return !wanted.isEmpty() && nanos() - trustedUntil() < 0;
    }

    private long trustedUntil() {
        return lookedAt + lease - margin;
    }

    private void beat() {
        reportOutdated = false;
        baseline = owner.now();
        nextBeat = nanos() + lease / 3;
        // Each lives as long as its own lease says: relays that judge by leases of their own would not agree on who is
        // in force.
        issue(new Command.Beat(owner.settings().owner(), owner.settings().lease(), owner.report(), Duration.ZERO));
    }

    private void issue(Command.ForKeeper command) {
        outstanding = command;
        issuedAt = nanos();
        owner.give(command);
    }

    /** The machine slept, or its clock was set: how much time really passed is not known, so nothing is trusted. */
    public void distrustAfterJump() {
        if (baseline != null) {
            long forward = (nanos() - baseline.nanos()) / 1_000_000;
            long wall = owner.now().wallMillis() - baseline.wallMillis();
            if (Math.abs(wall - forward) > margin / 1_000_000) {
                baseline = null;
                nextBeat = Long.MIN_VALUE;
                // A renewal that is under way was counted by the clock that cannot be believed.
                issuedAt = nanos() - lease;
                lookedAt = nanos() - lease;
                owner.lanes().values().forEach(lane -> lane.trustedUntil = nanos());
                owner.listener().lanes(owner.lanes().size(), "the clock jumped");
            }
        }
    }

    public void failed() {
        Command.ForKeeper failed = outstanding;
        outstanding = null;
        if (failed instanceof Command.Leave) {
            left = true;
        } else if (failed instanceof Command.Reserve) {
            reservationNeeded = true;
        }
        if (failed instanceof Command.Beat || nextBeat < nanos() + lease / 10) {
            nextBeat = nanos() + lease / 10;
        }
    }

    public void left() {
        outstanding = null;
        left = true;
    }

    public void beaten(List<Lease> held, List<Lane> lanes, List<LaneStore.LiveNode> nodes) {
        outstanding = null;
        owner.reported();
        boolean blind = issuedAt - lookedAt > lease;
        lookedAt = issuedAt;
        Set<Integer> mine = new HashSet<>();
        for (Lease held1 : held) {
            mine.add(held1.lane());
            L lane = owner.lanes().get(held1.lane());
            if (lane == null || lane.lease.epoch() != held1.epoch()) {
                if (lane != null) {
                    lose(lane);
                }
                // Ours by the database, although the answer to the acquisition never came.
                Lease adopted = new Lease(
                        held1.lane(), held1.epoch(), held1.suspectTo() > 0, held1.suspectFrom(), held1.suspectTo());
                own(adopted);
            } else {
                lane.trustedUntil = Math.max(lane.trustedUntil, trustedUntil());
            }
        }
        for (L lane : List.copyOf(owner.lanes().values())) {
            if (!mine.contains(lane.number)) {
                lose(lane);
            }
        }
        stand(nodes, blind);
        owner.renewed();
        share(lanes, nodes);
    }

    /** Its owner sends by its routes no longer than a look found them in force, however young the lease is. */
    private void own(Lease newLease) {
        L lane = owner.own(newLease, trustedUntil());
        lane.leaving = owner.isStopping();
        owner.lanes().put(lane.number, lane);
    }

    private void lose(L lane) {
        lane.lost = true;
        owner.lanes().remove(lane.number);
        owner.lost(lane);
        owner.listener().lanes(owner.lanes().size(), "lane " + lane.number + " was lost");
    }

    /** Whether relays with other routes are in force: then all lanes are given back in the ordinary way. */
    private void stand(List<LaneStore.LiveNode> nodes, boolean blind) {
        LaneStore.LiveNode inForce = InForce.among(nodes);
        boolean stoodBy = owner.standsByFor() != null;
        if (stoodBy && blind) {
            // Perhaps nobody could report while this relay could not look: those in force are only late, and keep their
            // lanes.
            seen.clear();
        }
        LaneStore.@Nullable LiveNode standsByFor =
                inForce == null || inForce.routing().equals(routing) ? null : inForce;
        owner.standsByFor(standsByFor);
        if ((standsByFor != null) != stoodBy) {
            // The report that has just been written says what was true before.
            reportOutdated = true;
        }
        if (standsByFor != null) {
            owner.lanes().values().forEach(lane -> lane.leaving = true);
            if (!stoodBy) {
                owner.listener().standsBy(standsByFor);
            }
        } else if (stoodBy) {
            owner.listener().isInForce();
        }
    }

    /** Each relay takes as many lanes as it may have when all in force share them; who has more gives back. */
    private void share(List<Lane> lanes, List<LaneStore.LiveNode> live) {
        List<LaneStore.LiveNode> nodes =
                live.stream().filter(node -> node.routing().equals(routing)).toList();
        boolean counted = nodes.stream()
                .anyMatch(node -> node.node().equals(owner.settings().owner()));
        int relays = Math.max(1, nodes.size() + (counted ? 0 : 1));
        int fair = (LaneStore.LANES + relays - 1) / relays;
        long staying =
                owner.lanes().values().stream().filter(lane -> !lane.leaving).count();
        List<Integer> free = takable(lanes);
        wanted = List.of();
        if (owner.isStopping() || owner.standsByFor() != null) {
            return;
        }
        if (staying > fair) {
            List<L> own = new ArrayList<>(owner.lanes().values());
            for (int i = own.size() - 1; i >= 0 && staying > fair; i--) {
                if (!own.get(i).leaving) {
                    own.get(i).leaving = true;
                    staying--;
                }
            }
        } else if (staying < fair && !free.isEmpty()) {
            // Begun at a random place, so that relays that start together do not all want the same.
            int first = (int) (owner.random() * free.size()) % free.size();
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
                // The answer may show a renewal that was sent long after the question, and whose sender counts from
                // there.
                long since = Math.max(issuedAt, nanos() - margin / 2);
                before = new Seen(lane.owner(), lane.epoch(), lane.leaseMark(), since);
                seen.put(lane.lane(), before);
            }
            boolean abandoned = lane.expired() && nanos() - before.since() >= lease;
            if (!owner.lanes().containsKey(lane.lane()) && (lane.owner() == null || abandoned)) {
                takable.add(lane.lane());
            }
        }
        return takable;
    }

    public void acquired(List<Lease> leases) {
        outstanding = null;
        for (Lease lane : leases) {
            own(lane);
        }
        if (!leases.isEmpty()) {
            owner.listener().lanes(owner.lanes().size(), "took " + leases.size());
        }
    }

    /** Far enough ahead that it is written a few times a second at most, and no further: it is what a crash makes suspect. */
    private void reserve() {
        reservationNeeded = false;
        long since = nanos() - reservedAt;
        if (since < OFTEN) {
            ahead = Math.min(
                    ahead * 2, Math.max(FEWEST_AHEAD, 4L * owner.settings().maxInFlight()));
        } else if (since > SELDOM) {
            ahead = Math.max(FEWEST_AHEAD, ahead / 2);
        }
        reservedAt = nanos();
        Map<Integer, Long> lowest = owner.lowestInMemory();
        long highest = owner.highestInMemory();
        for (L lane : owner.lanes().values()) {
            highest = Math.max(highest, owner.readUpTo(lane));
        }
        List<Reservation> reservations = new ArrayList<>();
        for (L lane : owner.lanes().values()) {
            long next = Counts.ahead(owner.readUpTo(lane), 1);
            long from = Math.min(next, lowest.getOrDefault(lane.number, Long.MAX_VALUE));
            reservations.add(new Reservation(lane.number, lane.lease.epoch(), from, Counts.ahead(highest, ahead)));
        }
        if (!reservations.isEmpty()) {
            issue(new Command.Reserve(owner.settings().owner(), reservations));
        }
    }

    public void reserved(List<Lease> leases) {
        Command.Reserve asked = (Command.Reserve) Objects.requireNonNull(outstanding);
        outstanding = null;
        Map<Integer, Reservation> byLane = new HashMap<>();
        asked.reservations().forEach(reservation -> byLane.put(reservation.lane(), reservation));
        for (Lease recorded : leases) {
            L lane = owner.lanes().get(recorded.lane());
            Reservation reservation = byLane.get(recorded.lane());
            if (lane != null && reservation != null && lane.lease.epoch() == reservation.epoch()) {
                lane.reserved(reservation);
            }
        }
        owner.renewed();
    }
}
