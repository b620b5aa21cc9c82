package dev.postroom.relay;

import dev.postroom.spi.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;

/** The sends of one destination that wait for an answer, in the order in which their time is up. For one thread. */
final class Unanswered {
    private static final int SMALL = 1_024;

    private final long timeoutNanos;
    private final Outcome timedOut;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int cleanAt = SMALL;

    private record Waiting(PendingReply reply, long deadline) {}

    Unanswered(long timeoutNanos, Outcome timedOut) {
        this.timeoutNanos = timeoutNanos;
        this.timedOut = timedOut;
    }

    void add(PendingReply reply, long now) {
        waiting.addLast(new Waiting(reply, now + timeoutNanos));
        if (waiting.size() >= cleanAt) {
            // One slow answer must not keep all the quick ones behind it in memory.
            waiting.removeIf(one -> one.reply().isAnswered());
            cleanAt = Math.max(SMALL, 2 * waiting.size());
        }
    }

    /** Answers for those whose time is up. */
    void expire(long now) {
        Waiting first = waiting.peekFirst();
        while (first != null && (first.reply().isAnswered() || first.deadline() <= now)) {
            first.reply().accept(timedOut);
            waiting.removeFirst();
            first = waiting.peekFirst();
        }
    }

    /** When the next one's time is up. */
    long nextDeadline() {
        Waiting first = waiting.peekFirst();
        return first == null ? Long.MAX_VALUE : first.deadline();
    }
}
