package dev.postroom.engine;

import dev.postroom.Stream;
import dev.postroom.spi.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of a stream: its messages in memory, by seq, and what keeps the others away. */
final class StreamState {
    /** More of one stream are not kept in memory; it goes one by one anyway. */
    static final int MOST = 64;

    final Stream stream;
    final int lane;
    final List<Entry> queue = new ArrayList<>();

    /** Holders in the database by their seq, and the destinations that each keeps the later ones from. */
    private final TreeMap<Long, Long> holders = new TreeMap<>();
    /** Whether the database was asked for all of its holders. */
    boolean holdersKnown;
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

    /** Nothing is known of it any more; whoever asks again gets a new one. */
    boolean forgotten;

    StreamState(Stream stream, int lane) {
        this.stream = stream;
        this.lane = lane;
    }

    boolean isBlocked() {
        return !holders.isEmpty();
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
        holders.merge(seq, mask, (one, other) -> one | other);
        blockedSince = since;
    }

    /** The holders as they are; whether that is news. */
    boolean holdersAre(Map<Long, Long> found) {
        boolean news = !holders.equals(found);
        holdersKnown = true;
        holders.clear();
        holders.putAll(found);
        return news;
    }

    /** Where holders keep a message with this seq from going. */
    long blockedBefore(long seq) {
        long mask = 0;
        for (long one : holders.headMap(seq).values()) {
            mask |= one;
        }
        return mask;
    }

    /**
     * Whether the holders that are known account for a row with this seq being held. One that has been everywhere where its routes
     * say now (they may have said more when it died) holds it, and keeps it from nothing.
     */
    boolean explains(long seq, long remaining) {
        if (holdersKnown) {
            return holders.lowerKey(seq) != null;
        }
        long before = blockedBefore(seq);
        return before != 0 && (remaining & ~before) == 0;
    }

    /** Where the block keeps this entry from going. */
    long blockedFor(Entry entry) {
        return holders.isEmpty() ? 0 : blockedBefore(entry.seq());
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
        readParked(lane);
        holders.clear();
        holdersKnown = false;
        askHolders = false;
    }

    /** Reads again what was forgotten because of the block; what is still held is forgotten again. */
    void readParked(OwnedLane lane) {
        if (lowestParked < Long.MAX_VALUE) {
            lane.rewind(lowestParked - 1);
        }
        if (dueParked) {
            lane.rewindDue();
        }
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

    /** Everything is read again anyway. */
    void forgetOverflow() {
        overflowFrom = Long.MAX_VALUE;
        overflowDue = false;
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
