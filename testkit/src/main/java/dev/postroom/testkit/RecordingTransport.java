package dev.postroom.testkit;

import dev.postroom.handler.PlainPayload;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A destination in memory that remembers what was delivered, in order. It confirms everything, or passes it on to another
 * transport; what that one did not confirm was not delivered. Thread-safe.
 */
public final class RecordingTransport implements Transport {
    private final Transport target;
    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();

    private RecordingTransport(Transport target) {
        this.target = target;
    }

    /** Confirms everything at once. */
    public static RecordingTransport create() {
        return around((delivery, outcome) -> outcome.accept(Outcome.confirmed()));
    }

    /** Passes everything on, to handlers for example, and records what they confirm. */
    public static RecordingTransport around(Transport target) {
        return new RecordingTransport(target);
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        target.send(delivery, result -> {
            if (result instanceof Outcome.Confirmed) {
                deliveries.add(delivery);
            }
            outcome.accept(result);
        });
    }

    /** What was delivered, in this order; payloads are not compressed. */
    public List<Delivery> deliveries() {
        return deliveries.stream().map(PlainPayload::of).toList();
    }

    /** Forgets what was delivered. */
    public void clear() {
        deliveries.clear();
    }

    @Override
    public boolean keepsOrder() {
        return target.keepsOrder();
    }

    @Override
    public int capacity() {
        return target.capacity();
    }

    @Override
    public String description() {
        return "recording of " + deliveries.size() + " deliveries";
    }

    @Override
    public void close() {
        target.close();
    }
}
