package dev.postroom.testkit.simulation.database;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** The database's own clock: runs with virtual time, and can be set. */
public final class DatabaseClock {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final LongSupplier virtualNanos;
    private long offsetNanos;

    DatabaseClock(LongSupplier virtualNanos) {
        this.virtualNanos = virtualNanos;
    }

    /** To the microsecond, as databases keep it. */
    public Instant now() {
        return START.plusNanos((virtualNanos.getAsLong() + offsetNanos) / 1_000 * 1_000);
    }

    /** Sets the clock forward, or back. */
    public void jump(Duration by) {
        offsetNanos += by.toNanos();
    }
}
