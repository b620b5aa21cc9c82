package dev.postroom.engine;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.RowKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A lane that this relay holds: how long it may trust that, what it has reserved, and whom it suspects. */
public class HeldLane {
    final int number;
    final LaneStore.Lease lease;

    /** By the engine's clock: nothing is sent afterwards. */
    long trustedUntil;
    /** No more is sent; it is given back as soon as nothing is under way. */
    boolean leaving;
    /** Lost: whatever is still under way is only recorded. */
    boolean lost;

    /** When something of this lane was last sent, answered or settled, or when there was nothing to do; or MIN_VALUE. */
    long movedAt = Long.MIN_VALUE;

    private long reservedFrom = Long.MAX_VALUE;
    private long reservedTo = -1;

    /** Suspects whose crash this owner has counted, and the count: each is counted once per ownership. */
    final Map<UUID, Integer> counted = new HashMap<>();
    /** Those of them that did no harm: to this owner they are like any other, also when they are read again. */
    final Set<UUID> acquitted = new HashSet<>();

    protected HeldLane(LaneStore.Lease lease, long trustedUntil) {
        this.number = lease.lane();
        this.lease = lease;
        this.trustedUntil = trustedUntil;
    }

    public final int number() {
        return number;
    }

    public final LaneStore.Lease lease() {
        return lease;
    }

    public final long trustedUntil() {
        return trustedUntil;
    }

    public final boolean isTrusted(long nanos) {
        return !lost && nanos - trustedUntil < 0;
    }

    /** Gives it back as soon as nothing is under way. */
    public final void leave() {
        leaving = true;
    }

    public final boolean isLeaving() {
        return leaving;
    }

    public final boolean isLost() {
        return lost;
    }

    /** Something of it was sent, answered or settled. */
    public final void moved(long nanos) {
        movedAt = nanos;
    }

    /** For how long nothing has moved; counted anew for one that has nothing to do. */
    public final long standsStill(boolean busy, long nanos) {
        if (movedAt == Long.MIN_VALUE || !busy) {
            movedAt = nanos;
        }
        return nanos - movedAt;
    }

    /** Whether it may have been on its way when the relay before this one died. */
    public final boolean isSuspect(RowKey key) {
        return lease.tookOver()
                && key.seq() >= lease.suspectFrom()
                && key.seq() <= lease.suspectTo()
                && !acquitted.contains(key.id());
    }

    /** Whether its crash was counted by this owner, so that it stands at this count. */
    public final boolean hasCounted(RowKey key, int crashes) {
        Integer known = counted.get(key.id());
        return known != null && known == crashes;
    }

    public final void count(RowKey key, int crashes) {
        counted.put(key.id(), crashes);
    }

    /** It did no harm. */
    public final void acquit(RowKey key) {
        acquitted.add(key.id());
        counted.remove(key.id());
    }

    /** It has left for good. */
    public final void forget(RowKey key) {
        counted.remove(key.id());
        acquitted.remove(key.id());
    }

    public final boolean isReserved(long seq) {
        return seq >= reservedFrom && seq <= reservedTo;
    }

    final void reserved(LaneStore.Reservation reservation) {
        reservedFrom = reservation.from();
        reservedTo = reservation.to();
    }
}
