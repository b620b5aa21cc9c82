package dev.postroom.engine;

/** Counters of a row stop at their highest value: a foreign writer may have put them there. */
final class Counts {
    private Counts() {}

    static int next(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }
}
