package dev.postroom.inbox;

import dev.postroom.DatabaseException;
import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.Tracing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all consumers have in common, whatever broker they listen to: handles a message once, and says what its end means.
 * The log gets one stable event name each, then key=value, never a payload. Thread-safe.
 */
public final class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    /** In the middle of the jitter: brokers wait in queues, one for each delay. */
    private static final double NO_JITTER = 0.5;

    private static final int ERROR_LENGTH = 1_000;

    private final Inbox inbox;
    private final String consumer;
    private final RetryPolicy retry;
    private final MessageHandler handler;

    public Reception(Inbox inbox, String consumer, RetryPolicy retry, MessageHandler handler) {
        this.inbox = inbox;
        this.consumer = new InboxKey(consumer, "any").consumer();
        this.retry = retry;
        this.handler = handler;
    }

    /** Whose messages these are. */
    public String consumer() {
        return consumer;
    }

    /** Handles the message on this thread; never throws. */
    public Verdict receive(ReceivedMessage message) {
        return receive(message, "postroom", consumer);
    }

    /**
     * As {@link #receive(ReceivedMessage)}, within the trace that the message brings along.
     *
     * @param system what brought it: {@code rabbitmq}, {@code kafka}
     * @param source the queue or topic it was taken from
     */
    public Verdict receive(ReceivedMessage message, String system, String source) {
        Tracing.Incoming incoming =
                new Tracing.Incoming(system, source, consumer, message.id(), message.attempt(), message.headers());
        try (Tracing.Handling handling = inbox.tracing().handling(incoming)) {
            Verdict verdict = handle(message);
            if (verdict instanceof Verdict.Again again) {
                handling.failed(again.reason().name(), again.error());
            } else if (verdict instanceof Verdict.Dead dead) {
                handling.failed(dead.reason().name(), dead.error());
            } else if (verdict instanceof Verdict.NotNow notNow) {
                handling.failed(FailureReason.DEPENDENCY_FAILURE.name(), notNow.error());
            }
            return verdict;
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private Verdict handle(ReceivedMessage message) {
        boolean[] begun = {false};
        try {
            Handling handling = inbox.<Exception>handleOnce(consumer, EventId.of(message), tx -> {
                begun[0] = true;
                handler.handle(message, tx);
            });
            LOG.debug("INBOX_{} consumer={} id={}", handling, consumer, message.id());
            return new Verdict.Done(handling);
        } catch (DeliveryFailedException e) {
            return failed(message, e.reason(), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Verdict.NotNow("the handler was interrupted");
        } catch (DatabaseException e) {
            // Before the handler began, the inbox itself could not be used, and no message is to blame for that.
            return begun[0]
                    ? failed(message, FailureReason.HANDLER_EXCEPTION, e.toString())
                    : new Verdict.NotNow(cut(String.valueOf(e.getMessage())));
        } catch (PostroomException e) {
            return begun[0]
                    ? failed(message, FailureReason.HANDLER_EXCEPTION, e.toString())
                    : refused(FailureReason.VALIDATION_FAILURE, String.valueOf(e.getMessage()));
        } catch (Throwable e) { // whatever a handler throws, also an Error, must have an end
            return failed(message, FailureReason.HANDLER_EXCEPTION, e.toString());
        }
    }

    /** The verdict over what is no message at all: without an id, or in an encoding that nobody can undo. */
    public Verdict refused(FailureReason reason, String error) {
        LOG.warn("INBOX_DEAD_LETTER consumer={} reason={} error=\"{}\"", consumer, reason, clean(error));
        return new Verdict.Dead(0, reason, cut(error));
    }

    private Verdict failed(ReceivedMessage message, FailureReason reason, String error) {
        int attempt = message.attempt();
        boolean outage = reason == FailureReason.TRANSPORT_UNAVAILABLE;
        if (reason.isPermanent()) {
            return dead(message, reason, error);
        }
        if (!outage && !retry.allowsAfter(attempt)) {
            return dead(message, FailureReason.POISON, reason + " in attempt " + attempt + ": " + error);
        }
        LOG.warn(
                "INBOX_RETRY consumer={} id={} attempt={} reason={} error=\"{}\"",
                consumer,
                message.id(),
                attempt,
                reason,
                clean(error));
        return new Verdict.Again(outage ? attempt : attempt + 1, retry.delay(attempt, NO_JITTER), reason, cut(error));
    }

    private Verdict dead(ReceivedMessage message, FailureReason reason, String error) {
        LOG.warn(
                "INBOX_DEAD_LETTER consumer={} id={} attempts={} reason={} error=\"{}\"",
                consumer,
                message.id(),
                message.attempt(),
                reason,
                clean(error));
        return new Verdict.Dead(message.attempt(), reason, cut(error));
    }

    private static String cut(String text) {
        return text.length() <= ERROR_LENGTH ? text : text.substring(0, ERROR_LENGTH) + "…";
    }

    /** As it may stand in one line of a log. */
    private static String clean(String text) {
        return cut(text).replaceAll("[\\p{Cntrl}\\u2028\\u2029]", " ").replace('"', '\'');
    }
}
