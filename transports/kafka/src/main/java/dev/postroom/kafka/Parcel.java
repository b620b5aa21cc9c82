package dev.postroom.kafka;

import dev.postroom.Stream;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A message in our hands, until it is answered for. */
final class Parcel {
    final Delivery delivery;
    /** Its topic in Kafka. */
    final String topic;

    final long receivedAt;
    private final Consumer<Outcome> outcome;
    private final AtomicBoolean answered = new AtomicBoolean();
    /** From here on it may be on the wire. */
    volatile boolean withProducer;

    Parcel(Delivery delivery, String topic, Consumer<Outcome> outcome, long now) {
        this.delivery = delivery;
        this.topic = topic;
        this.outcome = outcome;
        this.receivedAt = now;
    }

    Stream stream() {
        return delivery.stream();
    }

    long seq() {
        return delivery.seq();
    }

    /** The first answer is the only one that counts. */
    void answer(Outcome last) {
        if (answered.compareAndSet(false, true)) {
            outcome.accept(last);
        }
    }

    boolean isAnswered() {
        return answered.get();
    }
}
