package dev.postroom.engine;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.RowKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A lane that this relay holds: how long it may trust that, how far it has read, and what it has put off. */
final class OwnedLane {
    private static final int MOST_READ_PAST = 2_000;

    final int number;
    final LaneStore.Lease lease;

    /** By the engine's clock: nothing is sent afterwards. */
    long trustedUntil;
    /** No more is sent; it is given back as soon as nothing is under way. */
    boolean leaving;
    /** Lost: whatever is still under way is only recorded. */
    boolean lost;

    /** Every visible READY row up to here was read. */
    long cursor;
    /** Raised when the cursor goes back: what an older read brings from ahead of it must not be taken. */
    int generation;
    /** More rows wait ahead than one read brings. */
    boolean deep;
    /** Where reading by due time goes on; null: from the beginning. */
    MessageReader.DuePosition due;
    /** Reading by due time began anew and should not wait. */
    boolean dueRewound;
    /** The highest seq of due rows that were left for later, because the cursor had not passed them; or -1. */
    long dueAhead = -1;
    /** The cursor went back: messages in memory ahead of it wait until it has passed them again. */
    boolean rewound;
    /** Rows read past a stream that has its share of memory; beyond a limit the lane waits for that stream. */
    int readPast;

    /** When something of this lane was last sent, answered or settled, or when there was nothing to do; or MIN_VALUE. */
    long movedAt = Long.MIN_VALUE;

    long reservedFrom = Long.MAX_VALUE;
    long reservedTo = -1;

    private final Map<GateKey, Parked> parked = new HashMap<>();
    /** Suspects whose crash this owner has counted, and the count: each is counted once per ownership. */
    final Map<UUID, Integer> counted = new HashMap<>();
    /** Those of them that did no harm: to this owner they are like any other, also when they are read again. */
    final Set<UUID> acquitted = new HashSet<>();

    /** Rows that were read and forgotten, because a gate is closed. */
    static final class Parked {
        long lowest = Long.MAX_VALUE;
        long lowestDelayed = Long.MAX_VALUE;
        boolean due;
    }

    OwnedLane(LaneStore.Lease lease, long trustedUntil) {
        this.number = lease.lane();
        this.lease = lease;
        this.trustedUntil = trustedUntil;
        this.due = new MessageReader.DuePosition(number, null, 0);
    }

    boolean isTrusted(long nanos) {
        return !lost && nanos - trustedUntil < 0;
    }

    boolean isSuspect(RowKey key) {
        return lease.tookOver()
                && key.seq() >= lease.suspectFrom()
                && key.seq() <= lease.suspectTo()
                && !acquitted.contains(key.id());
    }

    boolean isReserved(long seq) {
        return seq >= reservedFrom && seq <= reservedTo;
    }

    boolean hasParked(GateKey gate) {
        return !parked.isEmpty() && parked.containsKey(gate);
    }

    /**
     * Whether something with a lower seq was put off on this way. What waits for another try does not count: the database
     * knows that it holds its stream.
     */
    boolean hasParkedBefore(long seq, String topic, String destination) {
        if (parked.isEmpty()) {
            return false;
        }
        for (GateKey gate : GateKey.onTheWay(topic, destination)) {
            Parked place = parked.get(gate);
            if (place != null && (place.lowest < seq || place.lowestDelayed < seq)) {
                return true;
            }
        }
        return false;
    }

    void park(GateKey gate, Entry entry) {
        Parked place = parked.computeIfAbsent(gate, key -> new Parked());
        if (entry.isReady()) {
            place.lowest = Math.min(place.lowest, entry.seq());
        } else {
            place.due = true;
            if (!entry.isHolder()) {
                place.lowestDelayed = Math.min(place.lowestDelayed, entry.seq());
            }
        }
    }

    /** Reads again what was put off for this gate; whether there was any. */
    boolean unpark(GateKey gate) {
        Parked place = parked.remove(gate);
        if (place == null) {
            return false;
        }
        if (place.lowest < Long.MAX_VALUE) {
            rewind(place.lowest - 1);
        }
        if (place.due) {
            rewindDue();
        }
        return true;
    }

    void rewind(long seq) {
        if (seq < cursor) {
            cursor = Math.max(0, seq);
            generation++;
            deep = true;
            rewound = true;
            readPast = 0;
        }
    }

    void rewindDue() {
        dueRewound = true;
        due = new MessageReader.DuePosition(number, null, 0);
    }

    /** Whether it waits for a stream that fills it. */
    boolean isStalled() {
        return readPast >= MOST_READ_PAST;
    }

    /** Everything read so far means nothing any more. */
    void startOver() {
        cursor = 0;
        generation++;
        rewound = true;
        readPast = 0;
        parked.clear();
        dueAhead = -1;
        rewindDue();
    }
}
