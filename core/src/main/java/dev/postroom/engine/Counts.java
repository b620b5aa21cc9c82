package dev.postroom.engine;

/** Counters and numbers of a row stop at their highest value: a foreign writer may have put them there. */
final class Counts {
    private Counts() {}

    static int next(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }

    /** The number so many behind this one. */
    static long ahead(long seq, long by) {
        return seq > Long.MAX_VALUE - by ? Long.MAX_VALUE : seq + by;
    }
}
