package dev.postroom.relay;

import dev.postroom.FailureReason;
import dev.postroom.engine.Command;
import dev.postroom.engine.Credit;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.TraceContext;
import dev.postroom.spi.Tracing;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands messages to one destination's transport, and sees to it that each is answered in time. Says how many it takes: no more than
 * its rate and the transport's capacity allow. For one thread.
 */
final class Outlet implements Credit {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final Destination destination;
    private final Mailbox mailbox;
    private final Tracing tracing;
    private final Secrets secrets;
    private final Unanswered unanswered;
    private final AtomicInteger underWay = new AtomicInteger();
    private final int capacity;
    private final @Nullable Pace pace;
    /** Asked for by the engine in this turn, and not handed over yet. */
    private int expected;

    private boolean warnedOfTrace;

    Outlet(Destination destination, Mailbox mailbox, Tracing tracing) {
        this.destination = destination;
        this.mailbox = mailbox;
        this.tracing = tracing;
        this.secrets = destination.transport().secrets();
        Duration timeout = destination.timeout();
        this.unanswered = new Unanswered(
                timeout.toNanos(),
                Outcome.failed(FailureReason.TIMEOUT, "no answer within " + timeout.toMillis() + " ms"));
        this.capacity = Math.max(1, destination.transport().capacity());
        this.pace = destination.rate() == 0 ? null : new Pace(destination.rate());
    }

    @Override
    public boolean isLeft(long now) {
        return hasRoom() && (pace == null || pace.admits(now));
    }

    private boolean hasRoom() {
        return underWay.get() + expected < capacity;
    }

    @Override
    public void take(long now) {
        expected++;
        if (pace != null) {
            pace.count(now);
        }
    }

    @Override
    public long next() {
        return pace == null || !hasRoom() ? Long.MAX_VALUE : pace.next();
    }

    void send(Command.Send command, long now) {
        expected--;
        handOver(command, now);
    }

    /** Does what is due. */
    void turn(long now) {
        unanswered.expire(now);
    }

    /** When something is due, unless an answer comes before. */
    long nextTurn() {
        return unanswered.nextDeadline();
    }

    boolean isAwaiting() {
        return underWay.get() > 0;
    }

    /** For any thread. */
    int underWay() {
        return underWay.get();
    }

    private void handOver(Command.Send command, long now) {
        Delivery delivery = command.delivery();
        if (delivery.deadlineNanos() <= now) {
            // Not tried, so nobody is to blame: the engine gives it again when it may go.
            reply(command, null).accept(Outcome.notSent("its lane was not known to be ours any more"));
            return;
        }
        Tracing.Sending sending = tracing.sending(traceable(delivery), destination.name(), destination.transport());
        PendingReply reply = reply(command, sending);
        try {
            destination.transport().send(sending.delivery(), outcome -> reply.accept(hidden(outcome)));
        } catch (Throwable e) { // whatever one message does to a transport must not end the relay
            reply.accept(hidden(Outcome.failed(FailureReason.UNKNOWN, Errors.withClass(e))));
        }
        if (!reply.isAnswered()) {
            unanswered.add(reply, now);
        }
    }

    /** Whoever wrote the row in another language was not told that its trace is none; no receiver shall get it. */
    private Delivery traceable(Delivery delivery) {
        Map<String, String> given = delivery.headers();
        Map<String, String> valid = given.isEmpty() ? given : TraceContext.validIn(given);
        if (valid == given) {
            return delivery;
        }
        if (!warnedOfTrace) {
            warnedOfTrace = true;
            LOG.warn(
                    "OUTBOX_WORKER_TRACE_DROPPED destination={} topic={} id={} the header traceparent is given twice or no"
                            + " W3C trace context: correct it where the message is written",
                    destination.name(),
                    Clean.text(delivery.topic()),
                    delivery.id());
        }
        return delivery.content(delivery.content().headers(valid));
    }

    /** Here, before anybody shortens the text: half a password would not be recognised. */
    private Outcome hidden(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.hiding(secrets) : outcome;
    }

    private PendingReply reply(Command.Send command, Tracing.@Nullable Sending sending) {
        return new PendingReply(mailbox, destination.name(), command.key(), sending, underWay);
    }
}
