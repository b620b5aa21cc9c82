package dev.postroom.jdbc.relay;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** A destination that remembers what it got and answers as it is told. Thread-safe. */
final class Recorder implements Transport {
    private final List<Delivery> sent = new CopyOnWriteArrayList<>();
    private final List<String> confirmed = new CopyOnWriteArrayList<>();
    private volatile Function<Delivery, Outcome> answers = delivery -> Outcome.confirmed();
    private volatile boolean closed;

    /** From now on; an exception is thrown to the relay. */
    Recorder answering(Function<Delivery, Outcome> with) {
        answers = with;
        return this;
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        sent.add(delivery);
        Outcome answer = answers.apply(delivery);
        if (answer instanceof Outcome.Confirmed) {
            confirmed.add(text(delivery));
        }
        outcome.accept(answer);
    }

    static String text(Delivery delivery) {
        return new String(delivery.payload(), StandardCharsets.UTF_8);
    }

    /** Every try. */
    List<Delivery> sent() {
        return sent;
    }

    /** The payloads that it confirmed, in that order. */
    List<String> confirmed() {
        return confirmed;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
    }
}
