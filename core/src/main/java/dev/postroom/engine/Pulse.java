package dev.postroom.engine;

import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/**
 * How much was delivered and how much failed: since the start, and in the last minute with how long it took. Costs a few
 * additions a message and always the same memory: latencies are counted in classes that are at most a tenth wide.
 *
 * <p>A latency begins by the database's clock and ends by this machine's. If these differ, it is off by as much; where it
 * would be below zero, the least of these differences is taken for this machine being late, and made up for.
 */
public final class Pulse {
    private static final long SLOT = Duration.ofSeconds(5).toNanos();
    private static final int SLOTS = 12;
    /** Eight classes each time the latency doubles, up to years. */
    private static final int PER_DOUBLING = 8;

    /** In milliseconds: a day. */
    private static final long MOST_BEHIND = Duration.ofDays(1).toMillis();

    private static final int CLASSES = 40 * PER_DOUBLING;

    private final int[][] latencies = new int[SLOTS][CLASSES];
    private final long[] failedIn = new long[SLOTS];
    private long delivered;
    private long failed;
    private long slot = Long.MIN_VALUE;
    /** How far this machine's clock was behind the database's at least, in milliseconds; a clock may be set right. */
    private final long[] behindIn = new long[SLOTS];

    private long behind;

    public void delivered(Moment now, StoredMessage message) {
        advance(now);
        delivered++;
        long millis = now.wallMillis() - begun(message).toEpochMilli();
        if (millis < -MOST_BEHIND) {
            return; // no clock is that wrong, so a foreign writer made this up, and it would spoil all others
        }
        if (-millis > behind) {
            behind = -millis;
            behindIn[place(slot)] = behind;
        }
        latencies[place(slot)][classOf(millis + behind)]++;
    }

    public void failed(Moment now) {
        advance(now);
        failed++;
        failedIn[place(slot)]++;
    }

    /** A message that was to be delivered later has waited since then only. */
    private static Instant begun(StoredMessage message) {
        Instant due = message.due();
        boolean delayed = message.progress().state() == RowState.DELAYED;
        return delayed && due != null && due.isAfter(message.createdAt()) ? due : message.createdAt();
    }

    /** Forgets what is older than a minute. */
    private void advance(Moment now) {
        long current = Math.floorDiv(now.nanos(), SLOT);
        if (slot == Long.MIN_VALUE) {
            slot = current;
        }
        for (long next = Math.max(slot + 1, current - SLOTS + 1); next <= current; next++) {
            Arrays.fill(latencies[place(next)], 0);
            failedIn[place(next)] = 0;
            behindIn[place(next)] = 0;
            behind = Arrays.stream(behindIn).max().orElse(0);
        }
        slot = Math.max(slot, current);
    }

    private static int place(long slot) {
        return (int) Math.floorMod(slot, (long) SLOTS);
    }

    static int classOf(long millis) {
        if (millis < PER_DOUBLING) {
            return (int) Math.max(0, millis);
        }
        int doublings = 63 - Long.numberOfLeadingZeros(millis);
        int within = (int) (millis >>> (doublings - 3)) & (PER_DOUBLING - 1);
        return Math.min(CLASSES - 1, (doublings - 2) * PER_DOUBLING + within);
    }

    /** The middle of a class. */
    static double millisOf(int latencyClass) {
        if (latencyClass < PER_DOUBLING) {
            return latencyClass;
        }
        int doublings = latencyClass / PER_DOUBLING + 2;
        double width = Math.pow(2, doublings - 3.0);
        return (PER_DOUBLING + latencyClass % PER_DOUBLING) * width + (width - 1) / 2;
    }

    /** The members of a JSON object. */
    String json(Moment now) {
        advance(now);
        int[] all = new int[CLASSES];
        long recent = 0;
        for (int[] some : latencies) {
            for (int i = 0; i < CLASSES; i++) {
                all[i] += some[i];
                recent += some[i];
            }
        }
        return "\"delivered\":" + delivered + ",\"failed\":" + failed + ",\"minute\":{\"delivered\":" + recent
                + ",\"failed\":" + Arrays.stream(failedIn).sum() + ",\"p50Millis\":" + percentile(all, recent, 0.5)
                + ",\"p95Millis\":" + percentile(all, recent, 0.95) + ",\"p99Millis\":" + percentile(all, recent, 0.99)
                + "}";
    }

    private static String percentile(int[] counts, long total, double share) {
        if (total == 0) {
            return "null";
        }
        long wanted = Math.max(1, (long) Math.ceil(total * share));
        int latencyClass = -1;
        for (long passed = 0; passed < wanted; ) {
            latencyClass++;
            passed += counts[latencyClass];
        }
        return String.format(Locale.ROOT, "%.1f", millisOf(latencyClass));
    }
}
