package dev.postroom.jdbc.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations in the resolution of the databases' clocks. */
public final class Micros {
    /** About 270 years. H2 counts in nanoseconds, of which a number holds no more than 292 years. */
    private static final Duration LONGEST = Duration.ofDays(100_000);

    private Micros() {}

    /** Nothing is longer than some centuries. */
    public static long of(Duration duration) {
        if (duration.compareTo(LONGEST) > 0) {
            return of(LONGEST);
        }
        if (duration.compareTo(LONGEST.negated()) < 0) {
            return of(LONGEST.negated());
        }
        return TimeUnit.SECONDS.toMicros(duration.getSeconds()) + TimeUnit.NANOSECONDS.toMicros(duration.getNano());
    }
}
