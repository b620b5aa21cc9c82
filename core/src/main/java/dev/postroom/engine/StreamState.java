package dev.postroom.engine;

import dev.postroom.Stream;
import dev.postroom.spi.RowKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a stream: its messages in memory, by seq, and what keeps the others away. */
final class StreamState {
    /** More of one stream are not kept in memory; it goes one by one anyway. */
    static final int MOST = 64;

    final Stream stream;
    final int lane;
    final List<Entry> queue = new ArrayList<>();

    /** Destinations that a holder in the database keeps the stream from; 0 when it is free. */
    long blocked;
    /** Only what comes after this seq is blocked. */
    long holderSeq = Long.MAX_VALUE;
    /** When it was found to be blocked, in reads: older reads know less. */
    long blockedSince;
    /** Which destinations the holders keep it from is to be asked. */
    boolean askHolders;
    /** The first row that was forgotten because of the block: asked for again and again. */
    @Nullable
    RowKey waiting;

    boolean waitingIsDue;
    long lowestParked = Long.MAX_VALUE;
    boolean dueParked;

    /** From here on its rows were left in the database, because it had its share of memory. */
    long overflowFrom = Long.MAX_VALUE;

    boolean overflowDue;

    StreamState(Stream stream, int lane) {
        this.stream = stream;
        this.lane = lane;
    }

    boolean isBlocked() {
        return blocked != 0;
    }

    boolean isOverflowing() {
        return overflowFrom < Long.MAX_VALUE || overflowDue;
    }

    boolean isEmpty() {
        return queue.isEmpty() && !isBlocked() && !isOverflowing();
    }

    void add(Entry entry) {
        int at = queue.size();
        while (at > 0 && queue.get(at - 1).seq() > entry.seq()) {
            at--;
        }
        queue.add(at, entry);
    }

    void block(long mask, long seq, long since) {
        blocked |= mask;
        holderSeq = Math.min(holderSeq, seq);
        blockedSince = since;
    }

    /** Where the block keeps this entry from going. */
    long blockedFor(Entry entry) {
        return isBlocked() && !entry.isHolder() && entry.seq() > holderSeq ? blocked : 0;
    }

    /** The first message that the block keeps back, in the database or still in memory. */
    @Nullable
    RowKey firstHeldBack() {
        RowKey first = waiting;
        for (Entry entry : queue) {
            if (blockedFor(entry) != 0 && (first == null || entry.seq() < first.seq())) {
                first = entry.key();
            }
        }
        return first;
    }

    void park(RowKey key, boolean ready) {
        if (waiting == null || key.seq() < waiting.seq()) {
            waiting = key;
            waitingIsDue = !ready;
        }
        if (ready) {
            lowestParked = Math.min(lowestParked, key.seq());
        } else {
            dueParked = true;
        }
    }

    /** The block has ended: reads again what was forgotten. */
    void unblock(OwnedLane lane) {
        if (lowestParked < Long.MAX_VALUE) {
            lane.rewind(lowestParked - 1);
        }
        if (dueParked) {
            lane.rewindDue();
        }
        blocked = 0;
        holderSeq = Long.MAX_VALUE;
        askHolders = false;
        waiting = null;
        lowestParked = Long.MAX_VALUE;
        dueParked = false;
    }

    void overflow(long seq, boolean ready) {
        if (ready) {
            overflowFrom = Math.min(overflowFrom, seq);
        } else {
            overflowDue = true;
        }
    }

    /** There is room again: reads what was left. */
    void takeUp(OwnedLane lane) {
        lane.readPast = 0;
        if (overflowFrom < Long.MAX_VALUE) {
            lane.rewind(overflowFrom - 1);
        }
        if (overflowDue) {
            lane.rewindDue();
        }
        overflowFrom = Long.MAX_VALUE;
        overflowDue = false;
    }
}
