package dev.postroom.spi;

import dev.postroom.secrets.Secrets;
import java.util.function.Consumer;

/**
 * A way to a destination: RabbitMQ, Kafka, HTTP, a function in this process. Thread-safe, as far as the relay is
 * concerned: it sends from one thread, and outcomes may come from any.
 */
public interface Transport extends AutoCloseable {

    /**
     * Begins to send and returns soon; blocking here stops every destination. The outcome is told exactly once, now or
     * later. Whatever is not on the wire by {@link Delivery#deadlineNanos()} must not be sent any more: by then another
     * relay may own the message's lane. An exception from here counts as a failure of this message.
     */
    void send(Delivery delivery, Consumer<Outcome> outcome);

    /**
     * Whether messages arrive in the order in which they were handed over, even while earlier ones are unconfirmed.
     * Then a stream is pipelined; else the next message of a stream goes out when the one before is confirmed.
     */
    default boolean keepsOrder() {
        return false;
    }

    /**
     * How many messages it takes before it has answered for one of them; the relay keeps the others meanwhile, and prolongs
     * their deadline as long as it may. For transports that would only queue them.
     */
    default int capacity() {
        return Integer.MAX_VALUE;
    }

    /**
     * What it is, for people: {@code log}, {@code rabbitmq amqp://localhost}. Without credentials. The same in every process
     * that delivers to the same place: relays whose descriptions of a destination differ are pointed out.
     */
    default String description() {
        String name = getClass().getSimpleName();
        // A lambda's name is another one in every process.
        return getClass().isHidden() || name.isEmpty() ? "function" : name;
    }

    /** What it must not tell: the relay hides these in every error of this transport before that is stored or logged. */
    default Secrets secrets() {
        return Secrets.NONE;
    }

    /** What takes the messages, in the words of OpenTelemetry's {@code messaging.system}: {@code rabbitmq}, {@code kafka}. */
    default String system() {
        return "postroom";
    }

    /** Ends what is still under way; called once, after the last send. */
    @Override
    default void close() {}
}
