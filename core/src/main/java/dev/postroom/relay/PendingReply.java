package dev.postroom.relay;

import dev.postroom.FailureReason;
import dev.postroom.engine.Event;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.Tracing;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A send whose answer is awaited. Whichever comes first counts, the transport's answer or the timeout; what comes later is
 * dropped, also a confirmation: by then the engine may have sent the message again, and would take it for the answer to
 * that.
 */
final class PendingReply implements Consumer<Outcome> {
    private final Mailbox mailbox;
    private final String destination;
    private final RowKey key;
    private final Tracing.@Nullable Sending sending;
    private final AtomicInteger unanswered;
    private final AtomicBoolean answered = new AtomicBoolean();

    /**
     * @param sending its trace, or null when it is not even tried
     * @param unanswered of the destination; this one is counted until it is answered
     */
    PendingReply(
            Mailbox mailbox,
            String destination,
            RowKey key,
            Tracing.@Nullable Sending sending,
            AtomicInteger unanswered) {
        this.mailbox = mailbox;
        this.sending = sending;
        this.unanswered = unanswered;
        unanswered.incrementAndGet();
        this.destination = destination;
        this.key = key;
    }

    @Override
    public void accept(@Nullable Outcome outcome) {
        if (answered.compareAndSet(false, true)) {
            unanswered.decrementAndGet();
            Outcome told = outcome != null
                    ? outcome
                    : Outcome.failed(FailureReason.UNKNOWN, "the transport of '" + destination + "' answered null");
            // Told first: what a trace makes of it, or throws, must not keep the answer from the engine.
            mailbox.post(new Event.Replied(key, destination, told));
            if (sending != null) {
                sending.ended(told);
            }
        }
    }

    boolean isAnswered() {
        return answered.get();
    }
}
