package dev.postroom.server.demo;

import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A destination inside the demo, with its own record of what it got. It refuses some messages until somebody sends them
 * again, fails on some once or twice, and may be down for a while now and then, or until it is mended. Thread-safe.
 */
final class Receiver implements Transport {
    private final String name;
    private final long outageEveryNanos;
    private final long outageNanos;
    private final long begun = System.nanoTime();
    private final List<UUID> record = new ArrayList<>();
    private final Set<UUID> refused = ConcurrentHashMap.newKeySet();
    private volatile boolean healthy;

    private Receiver(String name, Duration outageEvery, Duration outage) {
        this.name = name;
        this.outageEveryNanos = outageEvery.toNanos();
        this.outageNanos = outage.toNanos();
    }

    static Receiver steady(String name) {
        return new Receiver(name, Duration.ofDays(1), Duration.ZERO);
    }

    static Receiver withOutages(String name, Duration every, Duration length) {
        return new Receiver(name, every, length);
    }

    /** Down from the beginning, until it {@link #recover}s. */
    static Receiver broken(String name) {
        return new Receiver(name, Duration.ofDays(1), Duration.ofDays(1));
    }

    String name() {
        return name;
    }

    boolean isDown() {
        return !healthy && (System.nanoTime() - begun) % outageEveryNanos >= outageEveryNanos - outageNanos;
    }

    /** No more outages, so that everything can be delivered. */
    void recover() {
        healthy = true;
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        outcome.accept(answer(delivery));
    }

    private Outcome answer(Delivery delivery) {
        if (isDown()) {
            return Outcome.unavailable(name + " refuses connections");
        }
        // Derived from the id, so that the same message always meets the same fate.
        int fate = Math.floorMod(delivery.id().hashCode(), 1_000);
        // The second time somebody sends it, the article is known.
        if (fate < 4 && refused.add(delivery.id())) {
            return Outcome.failed(FailureReason.VALIDATION_FAILURE, name + " does not know this article");
        }
        if (fate < 50 && delivery.attempt() <= 1 + fate % 2) {
            return Outcome.failed(FailureReason.HANDLER_EXCEPTION, name + " is out of paper");
        }
        synchronized (record) {
            record.add(delivery.id());
        }
        return Outcome.confirmed();
    }

    /** Everything that it confirmed, in that order, also twice. */
    List<UUID> record() {
        synchronized (record) {
            return List.copyOf(record);
        }
    }

    @Override
    public String description() {
        return name;
    }
}
