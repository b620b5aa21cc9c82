package dev.postroom.engine;

import dev.postroom.policy.OnFailure;
import dev.postroom.spi.Delivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends what may go now. A message goes to a destination when no earlier message of its stream still has to go there,
 * neither in memory nor in the database, when the destination's gates are open, and when this relay still trusts that the
 * lane is its own.
 */
final class Dispatcher {
    private final EngineState state;
    private final Intake intake;
    private final Settling settling;
    private final Keeping keeping;
    private final Suspects suspects;
    /** Destinations whose transport keeps the order of what it was handed. */
    private final long pipelined;

    Dispatcher(EngineState state, Intake intake, Settling settling, Keeping keeping, long pipelined) {
        this.state = state;
        this.intake = intake;
        this.settling = settling;
        this.keeping = keeping;
        this.suspects = new Suspects(state, settling);
        this.pipelined = pipelined;
    }

    /** Looks at everything that may have become sendable. */
    void turn() {
        if (!state.pausesKnown) {
            return;
        }
        suspects.turn();
        Entry entry;
        while ((entry = state.memory.ready.poll()) != null) {
            if (entry.present) {
                dispatch(entry);
            }
        }
    }

    private void dispatch(Entry entry) {
        StreamState stream = entry.stream;
        if (stream == null) {
            advance(entry, 0, 0, true);
            return;
        }
        if (stream.queue.size() == 1) {
            advance(entry, 0, stream.blockedFor(entry), true);
            return;
        }
        long busy = 0;
        boolean first = true;
        // Over a copy: an entry that is put off leaves the queue.
        for (Entry next : List.copyOf(stream.queue)) {
            advance(next, busy, stream.blockedFor(next), first);
            if (next.present) {
                busy |= owed(next);
                if (waitsAtGate(next)) {
                    // Those behind it stand before the same gate, and are put off there rather than kept.
                    first = false;
                    busy &= ~gatedMask(next);
                }
            }
            if (entry.seq() < next.seq() && (busy & next.route) == next.route) {
                break;
            }
        }
    }

    private boolean waitsAtGate(Entry entry) {
        return entry.candidateFor != null
                && entry.inFlight == 0
                && entry.failure == null
                && !entry.settling
                && state.gates.isClosed(entry.candidateFor);
    }

    private long gatedMask(Entry entry) {
        String destination = entry.candidateFor == null ? null : entry.candidateFor.destination();
        return destination == null ? 0 : state.routes.mask(destination);
    }

    /** Where the later messages of its stream must not go before it. */
    private long owed(Entry entry) {
        if (entry.failure != null && state.routes.onFailure(entry.topic()) == OnFailure.SKIP) {
            return 0;
        }
        return entry.remaining() & ~(entry.inFlight & pipelined);
    }

    /** Does the next thing for an entry: send it, settle what it has so far, or put it off. */
    private void advance(Entry entry, long busy, long blocked, boolean mayProbe) {
        if (entry.settling || (entry.inFlight != 0 && entry.failure != null)) {
            return;
        }
        if (entry.failure != null) {
            settling.fail(entry);
            return;
        }
        if (entry.remaining() == 0) {
            settling.succeed(entry);
            return;
        }
        long closed = 0;
        for (long rest = entry.unsent() & ~busy & ~blocked; rest != 0; rest &= rest - 1) {
            long bit = Long.lowestOneBit(rest);
            Gates.Gate gate = state.gates.before(entry.topic(), state.name(bit));
            boolean shut = gate != null && !(mayProbe && isProbe(entry, gate));
            if (shut || Intake.isBehindPutOff(entry, state.name(bit))) {
                closed |= bit;
            } else if (maySend(entry)) {
                send(entry, bit, gate);
            }
        }
        long stuck = entry.unsent() & (closed | blocked);
        if (entry.inFlight == 0 && stuck != 0 && stuck == entry.unsent() && (stuck & busy) == 0) {
            putOff(entry, closed, mayProbe);
        } else if (entry.inFlight == 0 && entry.unsettled != 0 && !entry.settling && entry.failure == null) {
            // What it waits for may take long, and until it is settled it cannot be forgotten.
            settling.succeed(entry);
        }
    }

    private static boolean isProbe(Entry entry, Gates.Gate gate) {
        return gate.probeDue && gate.probe == null && gate.key.equals(entry.candidateFor);
    }

    private boolean maySend(Entry entry) {
        OwnedLane lane = entry.lane;
        if (state.stopping || !state.canRecord() || lane.leaving || !lane.isTrusted(state.nanos())) {
            return false;
        }
        // Ahead of the cursor there may be an earlier one of its stream that was put off and is to be read again.
        if (entry.isOrdered() && entry.seq() > lane.cursor) {
            return false;
        }
        if (!lane.isReserved(entry.seq())) {
            keeping.needReservation(lane);
            return false;
        }
        return !entry.suspect || suspects.mayGo(entry);
    }

    private void send(Entry entry, long bit, Gates.@Nullable Gate probed) {
        String destination = state.name(bit);
        if (probed != null) {
            probed.probe = entry;
            probed.probeDue = false;
        }
        entry.inFlight |= bit;
        entry.sentAt = state.nanos();
        entry.lane.movedAt = state.nanos();
        state.out.accept(new Command.Send(
                destination,
                entry.key(),
                new Delivery(
                        entry.key().id(),
                        entry.seq(),
                        entry.row.stream(),
                        entry.row.content(),
                        entry.row.createdAt(),
                        Counts.next(entry.row.progress().attempts()),
                        entry.lane.trustedUntil)));
    }

    private void putOff(Entry entry, long closed, boolean mayProbe) {
        if (entry.unsettled != 0) {
            settling.succeed(entry);
            return;
        }
        if (!entry.isForgettable() || entry.lane.lost) {
            return;
        }
        if (closed != 0) {
            // Ahead of the cursor, an earlier one of its stream may be about to be put off.
            boolean first = mayProbe && (!entry.isOrdered() || entry.seq() <= entry.lane.cursor);
            if (first && intake.isCandidate(entry, state.gates.breakerBefore(entry.topic(), state.names(closed)))) {
                return;
            }
        }
        intake.forget(entry);
    }

    /** Lets one message through each breaker whose time has come, a different stream each time. */
    void probe() {
        for (Gates.Gate gate : state.gates.breakers()) {
            if (gate.probe != null || state.nanos() - gate.nextProbe < 0) {
                continue;
            }
            gate.probeDue = true;
            for (Entry candidate : List.copyOf(gate.candidates)) {
                if (gate.probe == null && gate.candidates.remove(candidate)) {
                    tryAsProbe(candidate, gate);
                }
            }
            if (gate.probe == null) {
                gate.nextProbe = state.nanos() + state.probeInterval(gate.key).toNanos();
                bringCandidates(gate);
            }
        }
    }

    private void tryAsProbe(Entry candidate, Gates.Gate gate) {
        if (!candidate.present) {
            return;
        }
        if (gate.key.destination() != null && Intake.isBehindPutOff(candidate, gate.key.destination())) {
            // An earlier one must probe: this one makes room for it.
            candidate.candidateFor = null;
        } else {
            gate.candidates.addLast(candidate);
        }
        dispatch(candidate);
    }

    /** Nobody in memory can probe: reads some again of one lane that put them off. */
    private void bringCandidates(Gates.Gate gate) {
        if (!gate.candidates.isEmpty()) {
            return;
        }
        for (OwnedLane lane : state.lanes.values()) {
            if (lane.unpark(gate.key)) {
                return;
            }
        }
        // Nothing waits for it any more: it may as well be open, and the next message will tell.
        state.open(gate.key, "nothing waits for it");
    }
}
