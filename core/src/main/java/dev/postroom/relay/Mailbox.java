package dev.postroom.relay;

import dev.postroom.engine.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What happened since the engine looked last. Anybody posts, one thread collects, everything at once. What the collecting
 * thread posts itself, such as the answer of a transport that answers at once, costs no lock.
 *
 * <p>Bounded by what it is given: each desk has one answer under way, each send one, and hints beyond
 * {@value #MOST_HINTS} become one that names no row.
 */
final class Mailbox {
    static final int MOST_HINTS = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private List<Event> own = new ArrayList<>();
    private List<Event> incoming = new ArrayList<>();
    private int hints;
    private boolean hintedWithoutRow;
    private boolean nudged;
    private volatile @Nullable Thread collector;

    /** The calling thread will collect. */
    void belongToThisThread() {
        collector = Thread.currentThread();
    }

    void post(Event event) {
        if (Thread.currentThread() == collector) {
            own.add(event);
            return;
        }
        lock.lock();
        try {
            put(event);
        } finally {
            lock.unlock();
        }
    }

    /** Something was written; the seq is 0 when nobody knows which row. */
    void hint(int lane, long seq) {
        lock.lock();
        try {
            if (seq > 0 && hints < MOST_HINTS) {
                hints++;
                put(new Event.Woken(lane, seq));
            } else if (!hintedWithoutRow) {
                hintedWithoutRow = true;
                put(new Event.Woken(0, 0));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets whoever waits in {@link #collect} look around, although nothing has happened. */
    void nudge() {
        lock.lock();
        try {
            nudged = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    private void put(Event event) {
        incoming.add(event);
        if (incoming.size() == 1) {
            arrived.signal();
        }
    }

    /** All that has happened; waits up to so many nanoseconds until something has. */
    List<Event> collect(long waitNanos) throws InterruptedException {
        List<Event> collected = own;
        own = new ArrayList<>();
        lock.lock();
        try {
            long left = collected.isEmpty() ? waitNanos : 0;
            while (incoming.isEmpty() && !nudged && left > 0) {
                left = arrived.awaitNanos(left);
            }
            collected.addAll(incoming);
            incoming = new ArrayList<>();
            hints = 0;
            hintedWithoutRow = false;
            nudged = false;
            return collected;
        } finally {
            lock.unlock();
        }
    }
}
