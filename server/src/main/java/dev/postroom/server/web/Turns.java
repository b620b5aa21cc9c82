package dev.postroom.server.web;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many requests are worked on at once. Those who wait are taken client by client, so that whoever asks for much waits for
 * himself. Nobody waits here in a thread: a {@link Turn} says when it has come. Thread-safe.
 */
final class Turns {
    private final int mostWaiting;
    private int free;
    private int waiting;
    private final Map<String, Deque<Turn>> lines = new LinkedHashMap<>();

    Turns(int most, int mostWaiting) {
        this.free = most;
        this.mostWaiting = mostWaiting;
    }

    /** A turn that has come already, or that will; null when too many wait. */
    synchronized @Nullable Turn ask(String client) {
        Turn turn = new Turn(this, client);
        if (free > 0) {
            free--;
            turn.come();
            return turn;
        }
        if (waiting >= mostWaiting) {
            return null;
        }
        waiting++;
        lines.computeIfAbsent(client, key -> new ArrayDeque<>()).add(turn);
        return turn;
    }

    /** Forgets somebody who waits; false when he does not, any more. */
    synchronized boolean leave(Turn turn) {
        Deque<Turn> line = lines.get(turn.client());
        if (line == null || !line.remove(turn)) {
            return false;
        }
        waiting--;
        if (line.isEmpty()) {
            lines.remove(turn.client());
        }
        return true;
    }

    void passOn() {
        Turn next = next();
        if (next != null) {
            next.come();
        }
    }

    /** The first of the client who was served longest ago; his others go to the end. */
    private synchronized @Nullable Turn next() {
        Iterator<Map.Entry<String, Deque<Turn>>> first = lines.entrySet().iterator();
        if (!first.hasNext()) {
            free++;
            return null;
        }
        Map.Entry<String, Deque<Turn>> served = first.next();
        String client = served.getKey();
        Deque<Turn> line = served.getValue();
        first.remove();
        Turn next = line.remove();
        waiting--;
        if (!line.isEmpty()) {
            lines.put(client, line);
        }
        return next;
    }

    synchronized int waiting() {
        return waiting;
    }
}
