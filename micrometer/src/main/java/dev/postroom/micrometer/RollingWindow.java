package dev.postroom.micrometer;

import java.util.Arrays;
import java.util.function.LongSupplier;

/** What was published and what failed in the last minute, second by second. Thread-safe. */
final class RollingWindow {
    static final int SECONDS = 60;

    private final LongSupplier nanos;
    private final long begun;
    private final long[] published = new long[SECONDS];
    private final long[] failed = new long[SECONDS];
    /** The second that was counted last; the slots of those between it and now are not of this minute. */
    private long latest;

    RollingWindow(LongSupplier nanos) {
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
    }

    synchronized void published() {
        published[slot()]++;
    }

    synchronized void failed() {
        failed[slot()]++;
    }

    /** Since the window began, while it is younger than a minute. */
    synchronized double publishedPerSecond() {
        slot();
        return (double) sum(published) / Math.min(SECONDS, Math.max(1, latest + 1));
    }

    /** Failures among all outcomes; 0 when there were none. */
    synchronized double failureRatio() {
        slot();
        long bad = sum(failed);
        return bad == 0 ? 0 : (double) bad / (bad + sum(published));
    }

    /** Where to count now; forgets what is older than the window. */
    private int slot() {
        long now = (nanos.getAsLong() - begun) / 1_000_000_000;
        if (now - latest >= SECONDS) {
            Arrays.fill(published, 0);
            Arrays.fill(failed, 0);
        } else {
            for (long second = latest + 1; second <= now; second++) {
                published[(int) (second % SECONDS)] = 0;
                failed[(int) (second % SECONDS)] = 0;
            }
        }
        latest = Math.max(latest, now);
        return (int) (latest % SECONDS);
    }

    private static long sum(long[] counts) {
        return Arrays.stream(counts).sum();
    }
}
