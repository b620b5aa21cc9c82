package dev.postroom.rabbitmq;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A message that is owed an answer. Thread-safe: whoever answers first is heard, all others are not. */
final class Parcel {
    private static final Logger LOG = LoggerFactory.getLogger(Parcel.class);

    private final Delivery delivery;
    private final Consumer<Outcome> outcome;
    private final Runnable whenAnswered;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile long writtenAt;
    private volatile boolean returned;
    private volatile String routingKey = "";

    Parcel(Delivery delivery, Consumer<Outcome> outcome, Runnable whenAnswered) {
        this.delivery = delivery;
        this.outcome = outcome;
        this.whenAnswered = whenAnswered;
    }

    Delivery delivery() {
        return delivery;
    }

    boolean isPastDeadline(long now) {
        return now - delivery.deadlineNanos() >= 0;
    }

    /** From here on it may reach the broker. */
    void write(String key, long now) {
        routingKey = key;
        writtenAt = now;
    }

    String routingKey() {
        return routingKey;
    }

    long writtenAt() {
        return writtenAt;
    }

    /** The broker has no queue for it; its confirmation follows all the same. */
    void giveBack() {
        returned = true;
    }

    boolean wasReturned() {
        return returned;
    }

    void answer(Outcome result) {
        if (answered.compareAndSet(false, true)) {
            whenAnswered.run();
            try {
                outcome.accept(result);
            } catch (RuntimeException e) { // must not keep the others from their answers
                LOG.warn("the outcome of {} was not accepted", delivery.id(), e);
            }
        }
    }
}
