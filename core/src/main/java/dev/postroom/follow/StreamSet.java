package dev.postroom.follow;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Ids of streams, without an object for each: there may be a million of them. An open-addressing table with linear
 * probing; ids that are removed leave no gaps. Two streams with one id only wait for each other.
 */
final class StreamSet {
    private static final long[] NONE = new long[0];
    private static final int SMALLEST = 8;
    /** Marks a free slot; the stream with this id uses {@link #STAND_IN}. */
    private static final long FREE = 0;

    private static final long STAND_IN = 0x5bd1e995_9e3779b9L;

    private final StreamBudget budget;
    private long[] slots = NONE;
    private int size;

    StreamSet(StreamBudget budget) {
        this.budget = budget;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(long stream) {
        return size > 0 && slots[slotOf(code(stream))] != FREE;
    }

    /** Whether it may join: it is here already, or the budget has room. */
    boolean hasRoomFor(long stream) {
        return budget.hasRoom() || contains(stream);
    }

    /** Whether it was not here before. */
    boolean add(long stream) {
        if (slots.length == 0) {
            slots = new long[SMALLEST];
        }
        long code = code(stream);
        int slot = slotOf(code);
        if (slots[slot] != FREE) {
            return false;
        }
        slots[slot] = code;
        size++;
        budget.take();
        if (size * 3L > slots.length * 2L) {
            resize(slots.length * 2);
        }
        return true;
    }

    boolean remove(long stream) {
        if (size == 0) {
            return false;
        }
        int slot = slotOf(code(stream));
        if (slots[slot] == FREE) {
            return false;
        }
        closeGap(slot);
        size--;
        budget.giveBack(1);
        if (size == 0) {
            slots = NONE;
        } else if (slots.length > SMALLEST && size * 8L < slots.length) {
            resize(slots.length / 2);
        }
        return true;
    }

    void clear() {
        budget.giveBack(size);
        size = 0;
        slots = NONE;
    }

    /**
     * Shows up to {@code most} ids, from a slot on.
     *
     * @return the slot to go on at, or 0 at the end. Ids that are added or removed in between may be shown twice, or in the next round only
     */
    int show(int from, int most, LongConsumer to) {
        int shown = 0;
        for (int slot = from; slot < slots.length; slot++) {
            if (slots[slot] != FREE) {
                if (shown == most) {
                    return slot;
                }
                shown++;
                to.accept(slots[slot] == STAND_IN ? FREE : slots[slot]);
            }
        }
        return 0;
    }

    /** All of them, in ascending order; for reports and tests. */
    long[] toSortedArray() {
        long[] all = new long[size];
        int[] at = {0};
        show(0, size, stream -> all[at[0]++] = stream);
        Arrays.sort(all);
        return all;
    }

    private static long code(long stream) {
        return stream == FREE ? STAND_IN : stream;
    }

    /** Where it is, or the free slot where it belongs. */
    private int slotOf(long code) {
        int slot = home(code);
        while (slots[slot] != FREE && slots[slot] != code) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private int home(long code) {
        long mixed = code * 0x9e3779b97f4a7c15L;
        return (int) (mixed ^ (mixed >>> 32)) & (slots.length - 1);
    }

    /** Moves up those that stand behind a free slot only because it was taken when they came. */
    private void closeGap(int slot) {
        int gap = slot;
        slots[gap] = FREE;
        int mask = slots.length - 1;
        for (int next = (gap + 1) & mask; slots[next] != FREE; next = (next + 1) & mask) {
            int distance = (next - home(slots[next])) & mask;
            if (distance >= ((next - gap) & mask)) {
                slots[gap] = slots[next];
                slots[next] = FREE;
                gap = next;
            }
        }
    }

    private void resize(int length) {
        long[] before = slots;
        slots = new long[length];
        for (long code : before) {
            if (code != FREE) {
                slots[slotOf(code)] = code;
            }
        }
    }
}
