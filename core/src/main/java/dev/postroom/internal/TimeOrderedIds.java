package dev.postroom.internal;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/**
 * UUIDs of version 7 (RFC 9562): milliseconds first, then random bits. Ids that grow with time keep the unique index's
 * inserts on its last pages; nothing else relies on their order, so a clock that jumps does no harm.
 */
public final class TimeOrderedIds {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final SecureRandom RANDOM = new SecureRandom();

    private TimeOrderedIds() {}

    /** A new id. Thread-safe. */
    public static UUID next() {
        return of(CLOCK.millis(), RANDOM.nextLong(), RANDOM.nextLong());
    }

    static UUID of(long millis, long random1, long random2) {
        long high = (millis << 16) | 0x7000L | (random1 & 0x0FFFL);
        long low = 0x8000000000000000L | (random2 & 0x3FFFFFFFFFFFFFFFL);
        return new UUID(high, low);
    }
}
