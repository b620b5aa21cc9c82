package dev.postroom.jdbc.internal.postgresql;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations in the database's own resolution. */
final class Micros {
    private Micros() {}

    static long of(Duration duration) {
        return TimeUnit.SECONDS.toMicros(duration.getSeconds()) + TimeUnit.NANOSECONDS.toMicros(duration.getNano());
    }
}
