package dev.postroom.server.demo;

import dev.postroom.FailureReason;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.StoredMessage;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts what the relay tells. Thread-safe. */
final class Counts implements RelayListener {
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong dead = new AtomicLong();

    /** Confirmations so far of messages that have more than one destination. */
    private final Map<UUID, Integer> partly = new ConcurrentHashMap<>();

    @Override
    public void delivered(StoredMessage message, String destination) {
        UUID id = message.key().id();
        int destinations = Shop.ROUTES
                .getOrDefault(message.stream().topic(), List.of(destination))
                .size();
        if (partly.merge(id, 1, Integer::sum) >= destinations) {
            partly.remove(id);
            delivered.incrementAndGet();
        }
    }

    @Override
    public void failed(
            StoredMessage message,
            @Nullable String destination,
            FailureReason reason,
            String error,
            int attempts,
            long retryAfterMillis) {
        (retryAfterMillis < 0 ? dead : retried).incrementAndGet();
    }

    /** Messages that every destination of theirs has confirmed. */
    long delivered() {
        return delivered.get();
    }

    long retried() {
        return retried.get();
    }

    long dead() {
        return dead.get();
    }
}
