package dev.postroom.follow;

import java.time.Duration;

/**
 * Whether one tenant's messages may be keeping others' out: a destination's memory has been crowded for a while, and it confirms so
 * few a second that whoever is behind half a million would wait for longer than half a minute. A fast destination puts off
 * nobody, because going past a tenant's messages means to read them twice.
 */
class Crowd {
    private static final long WHILE = Duration.ofSeconds(1).toNanos();
    private static final int FAST = 16_000;

    private long since;
    private boolean crowded;
    private boolean putsOff;
    private int confirmed;

    void confirmed() {
        confirmed++;
    }

    void observe(boolean full, long now) {
        if (!full) {
            crowded = false;
            putsOff = false;
        } else if (!crowded) {
            begin(now);
            crowded = true;
        } else if (now - since >= WHILE) {
            putsOff = confirmed < FAST * ((double) (now - since) / WHILE);
            begin(now);
        }
    }

    private void begin(long now) {
        since = now;
        confirmed = 0;
    }

    boolean putsOff() {
        return putsOff;
    }
}
