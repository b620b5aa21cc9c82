package dev.postroom.relay;

import dev.postroom.FailureReason;
import dev.postroom.engine.Command;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages to one destination's transport, no faster than its rate, no more than its capacity, and sees to it that
 * each is answered in time. For one thread.
 */
final class Outlet {
    private final Destination destination;
    private final Mailbox mailbox;
    private final LaneTrust trust;
    private final Unanswered unanswered;
    private final AtomicInteger underWay = new AtomicInteger();
    private final int capacity;
    private final @Nullable Pace pace;
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** A send that could not be handed over at once, and the epoch in which it may be. */
    private record Waiting(Command.Send command, long epoch) {}

    Outlet(Destination destination, Mailbox mailbox, LaneTrust trust) {
        this.destination = destination;
        this.mailbox = mailbox;
        this.trust = trust;
        Duration timeout = destination.timeout();
        this.unanswered = new Unanswered(
                timeout.toNanos(),
                Outcome.failed(FailureReason.TIMEOUT, "no answer within " + timeout.toMillis() + " ms"));
        this.capacity = Math.max(1, destination.transport().capacity());
        this.pace = destination.rate() == 0 ? null : new Pace(destination.rate());
    }

    void send(Command.Send command, long now) {
        if (waiting.isEmpty() && isFree(now)) {
            handOver(command, command.delivery(), now);
        } else {
            waiting.addLast(new Waiting(command, trust.epoch(command.key().lane())));
        }
    }

    private boolean isFree(long now) {
        return underWay.get() < capacity && (pace == null || pace.admits(now));
    }

    /** Does what is due. */
    void turn(long now) {
        unanswered.expire(now);
        while (!waiting.isEmpty()) {
            Waiting first = waiting.getFirst();
            long deadline = trust.until(first.command().key().lane(), first.epoch());
            if (deadline > now && !isFree(now)) {
                return;
            }
            waiting.removeFirst();
            handOver(first.command(), until(first.command().delivery(), deadline), now);
        }
    }

    private static Delivery until(Delivery delivery, long deadline) {
        return new Delivery(
                delivery.id(),
                delivery.seq(),
                delivery.stream(),
                delivery.content(),
                delivery.createdAt(),
                delivery.attempt(),
                deadline);
    }

    /** When something is due, unless an answer comes before. */
    long nextTurn() {
        long release = pace == null || waiting.isEmpty() || underWay.get() >= capacity ? Long.MAX_VALUE : pace.next();
        return Math.min(release, unanswered.nextDeadline());
    }

    boolean isAwaiting() {
        return underWay.get() > 0;
    }

    /** What was not handed over yet will not be: the relay stops. */
    void refuseWaiting() {
        waiting.forEach(one -> refuse(one.command(), "the relay stopped before its turn came"));
        waiting.clear();
    }

    private void handOver(Command.Send command, Delivery delivery, long now) {
        if (delivery.deadlineNanos() <= now) {
            refuse(command, "it could not be sent while its lane was known to be ours");
            return;
        }
        PendingReply reply = reply(command);
        try {
            destination.transport().send(delivery, reply);
        } catch (Throwable e) { // whatever one message does to a transport must not end the relay
            reply.accept(Outcome.failed(FailureReason.UNKNOWN, Errors.withClass(e)));
        }
        if (!reply.isAnswered()) {
            unanswered.add(reply, now);
        }
    }

    /** Not tried, so no attempt is spent. */
    private void refuse(Command.Send command, String why) {
        reply(command).accept(Outcome.notSent(why));
    }

    private PendingReply reply(Command.Send command) {
        return new PendingReply(mailbox, destination.name(), command.key(), underWay);
    }
}
