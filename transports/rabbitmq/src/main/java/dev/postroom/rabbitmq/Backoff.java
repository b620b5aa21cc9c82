package dev.postroom.rabbitmq;

import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before connecting again: not at all at first, then longer and longer. For one thread. */
final class Backoff {
    private static final long FIRST_MILLIS = 100;
    private static final long MOST_MILLIS = 5_000;

    private int failures;

    /** In milliseconds; spread, so that many relays do not come back to a broker all at once. */
    long next() {
        long delay = failures == 0 ? 0 : Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(failures - 1, 10));
        failures++;
        return delay == 0 ? 0 : delay / 2 + ThreadLocalRandom.current().nextLong(delay / 2 + 1);
    }

    /** Only a confirmed message shows that it works again; a connection alone may break at once. */
    void reset() {
        failures = 0;
    }
}
