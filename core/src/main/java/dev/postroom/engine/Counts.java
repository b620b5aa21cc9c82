package dev.postroom.engine;

/** Counters and numbers of a row stop at their highest value: a foreign writer may have put them there. */
public final class Counts {
    private Counts() {}

    public static int next(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }

    /** The number so many behind this one. */
    public static long ahead(long seq, long by) {
        return seq > Long.MAX_VALUE - by ? Long.MAX_VALUE : seq + by;
    }
}
