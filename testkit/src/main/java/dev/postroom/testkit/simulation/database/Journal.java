package dev.postroom.testkit.simulation.database;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** What was changed of late, so that a server can take over that has not heard of it. */
final class Journal {
    /** In nanoseconds: longer than any failover goes back. */
    private static final long KEPT = 10_000_000_000L;

    private final LongSupplier virtualNanos;
    private final Deque<Entry> entries = new ArrayDeque<>();

    private record Entry(long at, Runnable undo) {}

    Journal(LongSupplier virtualNanos) {
        this.virtualNanos = virtualNanos;
    }

    void note(Runnable undo) {
        long now = virtualNanos.getAsLong();
        while (!entries.isEmpty() && entries.peekFirst().at() < now - KEPT) {
            entries.removeFirst();
        }
        entries.addLast(new Entry(now, undo));
    }

    /** Undoes what happened within this time, the latest first. */
    void undo(long nanos) {
        long from = virtualNanos.getAsLong() - nanos;
        while (!entries.isEmpty() && entries.peekLast().at() >= from) {
            entries.removeLast().undo().run();
        }
    }
}
