package dev.postroom.benchmark;

import dev.postroom.relay.Relay;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A whole relay that counts what was confirmed. */
final class RelayRun implements AutoCloseable {
    private final AtomicLong delivered = new AtomicLong();
    private final Relay relay;

    RelayRun(TestDatabase database, Transport transport, boolean archive) {
        Relay.Builder builder = Relay.on(database.dataSource())
                .deliverTo("bench", transport)
                .listener(new RelayListener() {
                    @Override
                    public void delivered(StoredMessage message, String destination) {
                        delivered.incrementAndGet();
                    }
                });
        this.relay = (archive ? builder.retention(Duration.ofDays(7)) : builder.deleteAfterDelivery()).start();
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
