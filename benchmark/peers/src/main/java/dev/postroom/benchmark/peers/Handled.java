package dev.postroom.benchmark.peers;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The handler of all systems: it does nothing but remember which messages it was given. Thread-safe. */
final class Handled {
    private final AtomicIntegerArray times;
    private final CountDownLatch missing;

    Handled(int expected) {
        this.times = new AtomicIntegerArray(expected);
        this.missing = new CountDownLatch(expected);
    }

    /** Counts a message once, however often it comes. */
    void accept(String payload) {
        if (times.getAndIncrement(Order.numberOf(payload)) == 0) {
            missing.countDown();
        }
    }

    /** Whether all came within that time. */
    boolean await(Duration atMost) throws InterruptedException {
        return missing.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** How many different ones came. */
    long distinct() {
        return times.length() - missing.getCount();
    }
}
