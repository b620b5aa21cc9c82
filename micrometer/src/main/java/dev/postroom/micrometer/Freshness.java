package dev.postroom.micrometer;

import java.time.Duration;

/**
 * How fresh an answer of the database must be.
 *
 * @param interval how old it may be before it is asked for again
 * @param patience how long whoever looks waits for a new one
 */
record Freshness(Duration interval, Duration patience) {
    /** What a database that is well needs a tenth of. */
    private static final Duration MOMENT = Duration.ofMillis(250);
    /** An answer older than so many intervals is worth nothing. */
    static final int STALE_INTERVALS = 6;

    static Freshness within(Duration interval) {
        return new Freshness(interval, MOMENT);
    }

    Duration staleAfter() {
        return interval.multipliedBy(STALE_INTERVALS);
    }
}
