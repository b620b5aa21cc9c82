package dev.postroom.spi;

import dev.postroom.Message;
import java.util.Map;

/**
 * Carries the context of a trace along with messages: from where they are published, through the relay, to where they are
 * handled. The context travels in headers, {@code traceparent} and {@code tracestate} for W3C. {@link #NONE} does nothing
 * and costs nothing; postroom-micrometer has one for Micrometer's observations. Thread-safe.
 */
public interface Tracing {
    /** No traces. */
    Tracing NONE = new Tracing() {};

    /** The same, but whatever it throws is logged once and never harms a message. */
    static Tracing guarded(Tracing tracing) {
        return tracing == NONE || tracing instanceof GuardedTracing ? tracing : new GuardedTracing(tracing);
    }

    /** A message is about to be written, in the caller's trace: headers to be added to those that it has. */
    default Map<String, String> publishing(Message message) {
        return Map.of();
    }

    /** A message is about to be handed to a transport, for this attempt; called on the relay's thread. */
    default Sending sending(Delivery delivery, String destination, Transport transport) {
        return new Untraced(delivery);
    }

    /** A message that came from a broker is about to be handled on this thread, until the result is closed. */
    default Handling handling(Incoming message) {
        return Handling.NONE;
    }

    /** An attempt to deliver a message. */
    interface Sending {

        /** What to hand to the transport: the delivery, perhaps with more headers. */
        Delivery delivery();

        /** What became of it; called once, on any thread. */
        void ended(Outcome outcome);
    }

    /** An attempt that nobody traces. */
    record Untraced(Delivery delivery) implements Sending {
        @Override
        public void ended(Outcome outcome) {}
    }

    /** A message that is being handled. */
    interface Handling extends AutoCloseable {
        Handling NONE = new Handling() {};

        /** It failed; called before {@link #close}. */
        default void failed(String reason, String error) {}

        /** It has an end, good or bad. */
        @Override
        default void close() {}
    }

    /**
     * A message as it came.
     *
     * @param system what brought it: {@code rabbitmq}, {@code kafka}
     * @param source the queue or topic it was taken from
     * @param consumer who handles it
     * @param attempt 1 for the first try
     */
    record Incoming(
            String system, String source, String consumer, String id, int attempt, Map<String, String> headers) {}
}
