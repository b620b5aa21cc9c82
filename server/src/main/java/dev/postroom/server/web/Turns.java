package dev.postroom.server.web;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many requests are worked on at once. Those who wait are taken client by client, so that whoever asks for much waits for
 * himself; when too many wait, the last of the longest line is refused, so that he is refused himself as well. Nobody waits here in
 * a thread: a {@link Turn} calls back when it is decided. Thread-safe.
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

    /** A turn that is granted, or waits, or is refused because too many of this client wait. */
    Turn ask(String client) {
        Turn turn = new Turn(this, client);
        Turn refused = enter(turn);
        if (refused != null) {
            refused.callBack();
        }
        return turn;
    }

    /** Whoever has to leave for it. Turns are decided under this lock, so who is in no line is decided. */
    private synchronized @Nullable Turn enter(Turn turn) {
        if (free > 0) {
            free--;
            turn.grant();
            return null;
        }
        Deque<Turn> own = lines.computeIfAbsent(turn.client(), key -> new ArrayDeque<>());
        own.add(turn);
        waiting++;
        if (waiting <= mostWaiting) {
            return null;
        }
        Turn last = longest(own).getLast();
        remove(last);
        last.refuse();
        return last;
    }

    /** Among lines of one length the newcomer's own: the others were here before him. */
    private Deque<Turn> longest(Deque<Turn> own) {
        Deque<Turn> longest = own;
        for (Deque<Turn> line : lines.values()) {
            if (line.size() > longest.size()) {
                longest = line;
            }
        }
        return longest;
    }

    private boolean remove(Turn turn) {
        Deque<Turn> line = lines.get(turn.client());
        if (line == null || !line.removeLastOccurrence(turn)) {
            return false;
        }
        waiting--;
        if (line.isEmpty()) {
            lines.remove(turn.client());
        }
        return true;
    }

    /** Refuses a turn that waits; false when it is decided already. */
    synchronized boolean leave(Turn turn) {
        if (!remove(turn)) {
            return false;
        }
        turn.refuse();
        return true;
    }

    void passOn() {
        Turn next = next();
        if (next != null) {
            next.callBack();
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
        next.grant();
        return next;
    }

    synchronized int waiting() {
        return waiting;
    }
}
