package dev.postroom.benchmark.chaos;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The machine's clock, and how far it was set. Thread-safe. */
final class SettableClock implements InstantSource {
    private final InstantSource machine = InstantSource.system();
    private volatile Duration ahead = Duration.ZERO;

    /** So far ahead of the machine's from now on, or behind it. */
    void set(Duration ahead) {
        this.ahead = ahead;
    }

    @Override
    public Instant instant() {
        return machine.instant().plus(ahead);
    }
}
