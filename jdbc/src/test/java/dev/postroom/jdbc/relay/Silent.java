package dev.postroom.jdbc.relay;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Answers nothing at first, and confirms later. */
record Silent(AtomicInteger calls, int silences) implements Transport {
    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        if (calls.incrementAndGet() > silences) {
            outcome.accept(Outcome.confirmed());
        }
    }
}
