package dev.postroom.micrometer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The database's time, as far as it is known here: the machine's own clock, corrected by how far the two were apart when the
 * database was asked last. A difference that the question itself may have caused is no difference. Thread-safe.
 */
final class DatabaseClock implements InstantSource {
    private final InstantSource local;
    private volatile long offsetMillis;

    DatabaseClock(InstantSource local) {
        this.local = local;
    }

    /** The database said what time it is, between two looks at the local clock. */
    void compare(Instant asked, Instant database, Instant answered) {
        if (database.isBefore(asked)) {
            offsetMillis = Duration.between(asked, database).toMillis();
        } else if (database.isAfter(answered)) {
            offsetMillis = Duration.between(answered, database).toMillis();
        } else {
            offsetMillis = 0;
        }
    }

    Instant localNow() {
        return local.instant();
    }

    /** How far the database's clock is ahead, at least; negative when it is behind. */
    double offsetSeconds() {
        return offsetMillis / 1_000.0;
    }

    @Override
    public Instant instant() {
        return local.instant().plusMillis(offsetMillis);
    }

    @Override
    public long millis() {
        return local.millis() + offsetMillis;
    }
}
