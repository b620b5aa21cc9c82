package dev.postroom.benchmark;

import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A whole relay with a destination that confirms everything at once and does nothing else. */
final class RelayRun implements AutoCloseable {
    private final AtomicLong delivered = new AtomicLong();
    private final Relay relay;

    RelayRun(TestDatabase database, boolean archive) {
        Relay.Builder builder = Relay.on(database.dataSource()).deliverTo("none", new Sink());
        this.relay = (archive ? builder.retention(Duration.ofDays(7)) : builder.deleteAfterDelivery()).start();
    }

    private final class Sink implements Transport {
        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            delivered.incrementAndGet();
            outcome.accept(Outcome.confirmed());
        }
    }

    Relay relay() {
        return relay;
    }

    long delivered() {
        return delivered.get();
    }

    /** Stops, which settles all that was delivered. */
    @Override
    public void close() {
        relay.close();
    }
}
