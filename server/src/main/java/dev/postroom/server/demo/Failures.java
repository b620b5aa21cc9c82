package dev.postroom.server.demo;

import dev.postroom.FailureReason;
import dev.postroom.engine.EngineListener;
import dev.postroom.spi.StoredMessage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts what failed. Thread-safe. */
final class Failures implements EngineListener {
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong dead = new AtomicLong();

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

    long retried() {
        return retried.get();
    }

    long dead() {
        return dead.get();
    }
}
