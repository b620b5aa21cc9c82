package dev.postroom.engine;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each row that was read whether it comes into memory. Only what can be sent does, apart from a few that wait to
 * probe a closed breaker; of the rest, only the lowest seq is remembered, by cause, so that memory does not grow with the
 * backlog.
 */
final class Intake {
    private static final long EVERYWHERE = -1;

    private final EngineState state;

    Intake(EngineState state) {
        this.state = state;
    }

    enum Taken {
        /** In memory now, or before. */
        IN_MEMORY,
        /** Not to be sent now; its cause knows where to go on. */
        PUT_OFF,
        /** There is no room: read it again. */
        NO_ROOM
    }

    /**
     * Takes one row; within a lane rows must come in order of their seq.
     *
     * @param lane the row's, which must still be the one that the read was made for
     * @param read the number of the read that brought it
     */
    Taken take(StoredMessage row, OwnedLane lane, long read) {
        if (lane.leaving || state.stopping) {
            return Taken.PUT_OFF;
        }
        Memory memory = state.memory;
        Entry known = memory.find(row.key().id());
        if (known != null) {
            if (!isOutdated(known, row)) {
                noteHold(known, row);
                memory.ready.add(known);
                return Taken.IN_MEMORY;
            }
            memory.remove(known);
            state.setAside.forgetFailure(known.key());
        } else if (memory.isFading(row.key().id())) {
            return Taken.IN_MEMORY;
        }
        if (memory.size() >= state.settings.maxInFlight()
                || (memory.bytes() >= state.settings.maxInFlightBytes() && memory.size() > 0)) {
            return Taken.NO_ROOM;
        }
        Entry entry = new Entry(row, lane, routeOf(row));
        if (row.defect() != null) {
            entry.failure = new Outcome.Failed(FailureReason.SERIALIZATION, row.defect(), Outcome.Scope.MESSAGE);
            return add(entry);
        }
        long confirmed = state.setAside.confirmed(row);
        entry.done |= confirmed;
        if (confirmed != 0 && entry.remaining() == 0) {
            return Taken.PUT_OFF;
        }
        if (entry.route == 0) {
            String only = row.progress().onlyDestination();
            GateKey gate = GateKey.noRoute(only, entry.topic());
            state.close(
                    gate,
                    only == null ? "no route" : "a replay's destination '" + only + "' is not in the routing in force");
            lane.park(gate, entry);
            return Taken.PUT_OFF;
        }
        if (entry.isOrdered()) {
            StreamState stream = memory.knownStream(row.stream());
            if (isHeld(entry, stream, read) || (stream != null && overflows(entry, stream))) {
                return Taken.PUT_OFF;
            }
        }
        return isShutOut(entry) ? Taken.PUT_OFF : add(entry);
    }

    /** Somebody else changed it since: what it is now counts, unless something of it is under way. */
    private static boolean isOutdated(Entry known, StoredMessage row) {
        return row.progress().version() > known.version && (known.isForgettable() || known.setAside);
    }

    /** Whether a row is sure not to be sent now, so that nothing need be known of those before it. */
    boolean willPutOff(StoredMessage row) {
        OwnedLane lane = state.laneOfRead(row.key().lane());
        long remaining = routeOf(row) & ~row.progress().completed();
        if (lane == null || remaining == 0) {
            return lane == null;
        }
        for (long rest = remaining; rest != 0; rest &= rest - 1) {
            Gates.Gate gate = state.gates.beforeNew(row.stream().topic(), state.name(Long.lowestOneBit(rest)));
            if (gate == null || !lane.hasParked(gate.key)) {
                return false;
            }
        }
        return true;
    }

    /** What is in memory may be held by now, and we may have forgotten by whom. */
    private void noteHold(Entry known, StoredMessage row) {
        if (known.isOrdered() && row.hold().held()) {
            StreamState stream = Objects.requireNonNull(known.stream);
            if (stream.blockedBefore(known.seq()) == 0 && !stream.explains(known.seq(), known.remaining())) {
                state.memory.block(stream, EVERYWHERE, known.seq() - 1, state.reads);
                stream.askHolders = Long.bitCount(known.route) > 1;
            }
        }
    }

    private Taken add(Entry entry) {
        entry.suspect = entry.lane.isSuspect(entry.key());
        // Already counted by us, although it left memory since, or the answer was lost.
        Integer counted = entry.lane.counted.get(entry.key().id());
        entry.cleared = counted != null && counted == entry.crashes;
        state.memory.add(entry);
        closeIfFull(entry);
        return Taken.IN_MEMORY;
    }

    private long routeOf(StoredMessage row) {
        String only = row.progress().onlyDestination();
        if (only != null) {
            return state.routes.knows(only) ? state.routes.mask(only) : 0;
        }
        return state.routes.routeOf(row.stream().topic());
    }

    /** Whether something before it in its stream keeps it in the database. */
    private boolean isHeld(Entry entry, @Nullable StreamState known, long read) {
        OwnedLane lane = entry.lane;
        if (lane.hasParked(GateKey.MANY_BLOCKED)) {
            lane.park(GateKey.MANY_BLOCKED, entry);
            return true;
        }
        if (known == null || !known.isBlocked()) {
            return entry.row.hold().held() && blockAt(entry);
        }
        boolean held = entry.row.hold().held();
        if (!held && entry.isHolder() && read > known.blockedSince) {
            // It came by its due time, from a read that is younger than all we know: nothing stands before it.
            return false;
        }
        if (held && !known.explains(entry.seq(), entry.remaining())) {
            known.holdersKnown = false;
            known.block(EVERYWHERE, entry.seq() - 1, state.reads);
            known.askHolders = Long.bitCount(entry.route) > 1;
        }
        long blocked = known.blockedBefore(entry.seq());
        if (blocked == 0 || (entry.remaining() & ~blocked) != 0) {
            return false;
        }
        known.park(entry.key(), entry.isReady());
        return true;
    }

    /** Remembers that the entry's stream is blocked before it. Where to, with several destinations, is asked next. */
    private boolean blockAt(Entry entry) {
        if (!state.memory.hasRoomForBlocked()) {
            state.close(GateKey.MANY_BLOCKED, "too many streams are blocked");
            entry.lane.park(GateKey.MANY_BLOCKED, entry);
            return true;
        }
        StreamState stream = state.memory.stream(entry.row.stream(), entry.lane.number);
        state.memory.block(stream, EVERYWHERE, entry.seq() - 1, state.reads);
        stream.askHolders = Long.bitCount(entry.route) > 1;
        stream.park(entry.key(), entry.isReady());
        return true;
    }

    private static boolean overflows(Entry entry, StreamState stream) {
        boolean behindOthers = stream.isOverflowing() && (entry.seq() > stream.overflowFrom || stream.overflowDue);
        if (behindOthers || stream.queue.size() >= StreamState.MOST) {
            stream.overflow(entry.seq(), entry.isReady());
            entry.lane.readPast++;
            return true;
        }
        return false;
    }

    /** Whether every destination that it still has to go to is behind a closed gate, and it is not needed as a probe. */
    private boolean isShutOut(Entry entry) {
        for (long rest = entry.remaining(); rest != 0; rest &= rest - 1) {
            if (state.gates.beforeNew(entry.topic(), state.name(Long.lowestOneBit(rest))) == null) {
                return false;
            }
        }
        if (entry.remaining() == 0
                || isCandidate(entry, state.gates.breakerBefore(entry.topic(), state.names(entry.remaining())))) {
            return false;
        }
        parkAtGates(entry);
        return true;
    }

    /** Lets one go from memory that cannot be sent now; whatever keeps it from that brings it back. */
    void forget(Entry entry) {
        parkAtGates(entry);
        StreamState stream = entry.stream;
        if (stream != null && stream.blockedFor(entry) != 0) {
            stream.park(entry.key(), entry.isReady());
        }
        state.memory.remove(entry);
        if (state.reading) {
            // A read that began before its last settle would bring it back as it was then.
            state.memory.fade(entry.key());
        }
    }

    /** Puts off a message because of every gate that it stands before: whichever opens first brings it back. */
    private void parkAtGates(Entry entry) {
        for (long rest = entry.remaining(); rest != 0; rest &= rest - 1) {
            String name = state.name(Long.lowestOneBit(rest));
            Gates.Gate gate = state.gates.beforeNew(entry.topic(), name);
            if (gate != null) {
                entry.lane.park(gate.key, entry);
            }
        }
    }

    /**
     * Whether to keep it in memory as one of the few that may probe the gate. Nothing ordered that comes behind what its
     * lane has put off may be kept: it could overtake one of its stream. So an earlier one takes a later one's place.
     */
    boolean isCandidate(Entry entry, Gates.@Nullable Gate gate) {
        if (gate == null || gate.key.kind() != GateKey.Kind.BREAKER) {
            return false;
        }
        if (gate.key.equals(entry.candidateFor)) {
            return true;
        }
        gate.candidates.removeIf(other -> !other.present);
        int others = state.memory.size() - (entry.present ? 1 : 0);
        boolean full =
                gate.candidates.size() >= Gates.CANDIDATES || others >= Math.max(1, state.settings.maxInFlight() / 2);
        if (isBehindPutOff(entry, Objects.requireNonNull(gate.key.destination()))
                || (full && !replaceLater(entry, gate))) {
            return false;
        }
        entry.candidateFor = gate.key;
        gate.candidates.add(entry);
        return true;
    }

    /** Whether an earlier one of its lane was put off on the way to this destination: it may be of the same stream. */
    static boolean isBehindPutOff(Entry entry, String destination) {
        return entry.isOrdered() && entry.lane.hasParkedBefore(entry.seq(), entry.topic(), destination);
    }

    /** Forgets a later candidate of the same lane, if there is one. */
    private boolean replaceLater(Entry entry, Gates.Gate gate) {
        Entry last = null;
        for (Entry other : gate.candidates) {
            boolean later = other.lane == entry.lane && other.isOrdered() && other.seq() > entry.seq();
            if (entry.isOrdered() && later && other.isForgettable() && (last == null || other.seq() > last.seq())) {
                last = other;
            }
        }
        if (last == null) {
            return false;
        }
        gate.candidates.remove(last);
        forget(last);
        return true;
    }

    /** With several destinations, none may fill the memory: the others' messages would not be read any more. */
    private void closeIfFull(Entry entry) {
        int destinations = state.routes.destinations().size();
        if (destinations < 2) {
            return;
        }
        int share = Math.max(1, state.settings.maxInFlight() / destinations);
        for (long rest = entry.remaining(); rest != 0; rest &= rest - 1) {
            long bit = Long.lowestOneBit(rest);
            if (state.memory.occupancy(bit) >= share) {
                state.close(GateKey.full(state.name(bit)), "it has its share of the memory");
            }
        }
    }

    /** Whether this row was read by its due time. */
    static boolean isDue(StoredMessage row) {
        return row.progress().state() != RowState.READY;
    }
}
