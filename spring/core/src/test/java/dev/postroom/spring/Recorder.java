package dev.postroom.spring;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A destination that keeps what it gets and confirms it. */
final class Recorder implements Transport {
    final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        deliveries.add(delivery);
        outcome.accept(Outcome.confirmed());
    }

    List<String> keys() {
        return deliveries.stream().map(Delivery::key).toList();
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }
}
