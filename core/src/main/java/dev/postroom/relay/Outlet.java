package dev.postroom.relay;

import dev.postroom.FailureReason;
import dev.postroom.engine.Command;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Hands messages to one destination's transport, at its pace, and sees to it that each is answered in time. For one thread. */
final class Outlet {
    private final Destination destination;
    private final Mailbox mailbox;
    private final Unanswered unanswered;
    private final @Nullable Pace pace;
    private final Deque<Command.Send> waiting = new ArrayDeque<>();

    Outlet(Destination destination, Mailbox mailbox) {
        this.destination = destination;
        this.mailbox = mailbox;
        Duration timeout = destination.timeout();
        this.unanswered = new Unanswered(
                timeout.toNanos(),
                Outcome.failed(FailureReason.TIMEOUT, "no answer within " + timeout.toMillis() + " ms"));
        this.pace = destination.rate() == 0 ? null : new Pace(destination.rate());
    }

    void send(Command.Send command, long now) {
        if (pace == null) {
            handOver(command, now);
        } else {
            waiting.addLast(command);
            sendWaiting(pace, now);
        }
    }

    /** Does what is due. */
    void turn(long now) {
        if (pace != null) {
            sendWaiting(pace, now);
        }
        unanswered.expire(now);
    }

    /** When something is due. */
    long nextTurn() {
        long release = pace == null || waiting.isEmpty() ? Long.MAX_VALUE : pace.next();
        return Math.min(release, unanswered.nextDeadline());
    }

    boolean isAwaiting() {
        return unanswered.isAwaiting();
    }

    /** What was not handed over yet will not be: the relay stops. */
    void refuseWaiting() {
        waiting.forEach(command -> refuse(command, "the relay stopped before its turn came"));
        waiting.clear();
    }

    private void sendWaiting(Pace at, long now) {
        while (!waiting.isEmpty() && (isExpired(waiting.peekFirst(), now) || at.admits(now))) {
            handOver(waiting.removeFirst(), now);
        }
    }

    private static boolean isExpired(Command.Send command, long now) {
        return command.delivery().deadlineNanos() <= now;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void handOver(Command.Send command, long now) {
        if (isExpired(command, now)) {
            refuse(command, "it could not be sent while its lane was known to be ours");
            return;
        }
        PendingReply reply = new PendingReply(mailbox, destination.name(), command.key());
        try {
            destination.transport().send(command.delivery(), reply);
        } catch (Throwable e) { // whatever one message does to a transport must not end the relay
            reply.accept(Outcome.failed(FailureReason.UNKNOWN, Errors.withClass(e)));
        }
        if (!reply.isAnswered()) {
            unanswered.add(reply, now);
        }
    }

    /** Not tried, so no attempt is spent. */
    private void refuse(Command.Send command, String why) {
        new PendingReply(mailbox, destination.name(), command.key()).accept(Outcome.unavailable(why));
    }
}
