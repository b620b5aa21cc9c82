package dev.postroom.relay;

/**
 * Spaces sends by a rate. Somebody who comes a little late may catch up, because threads do not wake up on the
 * microsecond; after a longer pause nothing is made up for. For one thread.
 */
final class Pace {
    private static final long CATCH_UP_NANOS = 20_000_000;

    private final long intervalNanos;
    private long next = Long.MIN_VALUE;

    /** Messages per second, at least 1. */
    Pace(int rate) {
        this.intervalNanos = 1_000_000_000L / rate;
    }

    /** Whether one may go now; if so, it is counted. */
    boolean admits(long now) {
        if (next < now - CATCH_UP_NANOS) {
            next = now;
        }
        if (next > now) {
            return false;
        }
        next += intervalNanos;
        return true;
    }

    /** When the next may go. */
    long next() {
        return next;
    }
}
