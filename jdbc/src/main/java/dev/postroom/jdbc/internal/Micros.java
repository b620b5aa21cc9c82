package dev.postroom.jdbc.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations in the resolution of the databases' clocks. */
public final class Micros {
    private Micros() {}

    public static long of(Duration duration) {
        return TimeUnit.SECONDS.toMicros(duration.getSeconds()) + TimeUnit.NANOSECONDS.toMicros(duration.getNano());
    }
}
