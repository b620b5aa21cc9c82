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

    /** Whether one may go now. */
    boolean admits(long now) {
        return next <= now;
    }

    /** One goes now. */
    void count(long now) {
        next = (next < now - CATCH_UP_NANOS ? now : next) + intervalNanos;
    }

    /** When the next may go. */
    long next() {
        return next;
    }
}
