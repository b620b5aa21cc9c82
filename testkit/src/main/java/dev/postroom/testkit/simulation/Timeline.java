package dev.postroom.testkit.simulation;

import java.util.PriorityQueue;

/** Virtual time: what happens next, and when. Things of one instant happen in the order in which they were planned. */
final class Timeline {
    private final PriorityQueue<Planned> queue = new PriorityQueue<>();
    private long now;
    private long order;

    private record Planned(long at, long order, Runnable what) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Nanoseconds since the beginning. */
    long now() {
        return now;
    }

    /** How many things have been planned so far. */
    long planned() {
        return order;
    }

    void at(long time, Runnable what) {
        queue.add(new Planned(Math.max(now, time), order++, what));
    }

    void after(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Runs the next thing, unless there is none up to this time. */
    boolean runNext(long until) {
        Planned next = queue.peek();
        if (next == null || next.at() > until) {
            now = Math.max(now, until);
            return false;
        }
        queue.remove();
        now = next.at();
        next.what().run();
        return true;
    }
}
