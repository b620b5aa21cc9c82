package dev.postroom.jdbc.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations in the resolution of the databases' clocks. */
public final class Micros {
    private Micros() {}

    /** The longest there is, for what is longer. */
    public static long of(Duration duration) {
        long seconds = TimeUnit.SECONDS.toMicros(duration.getSeconds());
        boolean saturated = seconds == Long.MAX_VALUE || seconds == Long.MIN_VALUE;
        return saturated ? seconds : seconds + TimeUnit.NANOSECONDS.toMicros(duration.getNano());
    }
}
