package dev.postroom.follow;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;

/**
 * The streams that left something at a gate, and from which number on, without an object for each: up to a million of them wait at a
 * paused topic. Only forgotten together. Of two streams with one id, the later rows wait for the earlier one's too.
 */
final class LeftStreams {
    private static final int SMALLEST = 8;
    /** Marks a free slot: rows are numbered from 1. */
    private static final long FREE = 0;

    private final StreamBudget budget;
    private long[] streams = new long[SMALLEST];
    private long[] firsts = new long[SMALLEST];
    private int size;

    LeftStreams(StreamBudget budget) {
        this.budget = budget;
    }

    boolean contains(long stream) {
        return firsts[slotOf(stream)] != FREE;
    }

    /** Whether a row of the stream comes after one that was left, or is the first of these. */
    boolean keeps(long stream, long seq) {
        long first = size == 0 ? FREE : firsts[slotOf(stream)];
        return first != FREE && first <= seq;
    }

    /** Whether it may join: it is here already, or the budget has room. */
    boolean hasRoomFor(long stream) {
        return budget.hasRoom() || contains(stream);
    }

    /** A row of the stream was left. */
    void add(long stream, long seq) {
        int slot = slotOf(stream);
        if (firsts[slot] != FREE) {
            firsts[slot] = Math.min(firsts[slot], seq);
            return;
        }
        streams[slot] = stream;
        firsts[slot] = seq;
        size++;
        budget.take();
        if (size * 3L > streams.length * 2L) {
            grow();
        }
    }

    void clear() {
        budget.giveBack(size);
        size = 0;
        streams = new long[SMALLEST];
        firsts = new long[SMALLEST];
    }

    /** What {@code of} makes of each stream and its first row, in ascending order; for tests. */
    long[] toSortedArray(LongBinaryOperator of) {
        long[] all = new long[size];
        int at = 0;
        for (int slot = 0; slot < streams.length; slot++) {
            if (firsts[slot] != FREE) {
                all[at++] = of.applyAsLong(streams[slot], firsts[slot]);
            }
        }
        Arrays.sort(all);
        return all;
    }

    /** Where it is, or the free slot where it belongs. */
    private int slotOf(long stream) {
        long mixed = stream * 0x9e3779b97f4a7c15L;
        int slot = (int) (mixed ^ (mixed >>> 32)) & (streams.length - 1);
        while (firsts[slot] != FREE && streams[slot] != stream) {
            slot = (slot + 1) & (streams.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldStreams = streams;
        long[] oldFirsts = firsts;
        streams = new long[oldStreams.length * 2];
        firsts = new long[oldStreams.length * 2];
        for (int i = 0; i < oldStreams.length; i++) {
            if (oldFirsts[i] != FREE) {
                int slot = slotOf(oldStreams[i]);
                streams[slot] = oldStreams[i];
                firsts[slot] = oldFirsts[i];
            }
        }
    }
}
