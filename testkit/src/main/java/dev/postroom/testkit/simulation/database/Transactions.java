package dev.postroom.testkit.simulation.database;

import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Which writers' transactions are running, and what a snapshot says about them. */
final class Transactions {
    private final NavigableSet<Long> running = new TreeSet<>();
    private long last;
    private long latestCompleted;

    long begin() {
        last++;
        running.add(last);
        return last;
    }

    void end(long tx) {
        running.remove(tx);
        latestCompleted = Math.max(latestCompleted, tx);
    }

    /** Whatever is running has ended with its server, and will commit no more. */
    void endAll() {
        latestCompleted = last;
        running.clear();
    }

    boolean isRunning(long tx) {
        return running.contains(tx);
    }

    int open() {
        return running.size();
    }

    /**
     * As {@code pg_current_snapshot()}: it ends behind the latest transaction that has completed, and lists those
     * running before its end only. A transaction at or behind the end may be running all the same.
     */
    Snapshot snapshot() {
        long end = latestCompleted + 1;
        return new Snapshot(end, List.copyOf(running.headSet(end, false)));
    }

    /** What a read saw of the transactions. */
    record Snapshot(long end, List<Long> running) {
        /** Whether what this transaction wrote is visible. */
        boolean sees(long tx) {
            return tx < end && !running.contains(tx);
        }
    }
}
