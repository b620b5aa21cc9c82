package dev.postroom.relay;

import dev.postroom.engine.Moment;
import java.time.Duration;
import java.time.InstantSource;

/** Tells the engine what time it is. A manual relay's can be set forward. */
final class RelayClock {
    private final InstantSource wall;
    private volatile long aheadNanos;

    RelayClock(InstantSource wall) {
        this.wall = wall;
    }

    long nanos() {
        return System.nanoTime() + aheadNanos;
    }

    /** Both clocks, which are set forward together: the machine did not sleep. */
    Moment now() {
        long ahead = aheadNanos;
        return new Moment(System.nanoTime() + ahead, wall.millis() + ahead / 1_000_000);
    }

    /** For one thread. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the thread of a manual relay sets it
    void advance(Duration by) {
        aheadNanos += by.toNanos();
    }
}
