package dev.postroom.engine;

import java.time.Duration;

/**
 * Why the engine before this one ended: a part of its relay failed.
 *
 * @param times how often in a row, without a while of health between
 * @param why what failed
 * @param atNanos when, by the clock of {@link Moment#nanos()}
 * @param ripe whether the relay had lived long enough by then for its routes to take over
 */
public record Restart(int times, String why, long atNanos, boolean ripe) {
    /** A relay that has run for so long since is healthy again, and its failure is not told any more. */
    public static final Duration TOLD_FOR = Duration.ofMinutes(10);

    /** Whether it is still to be told. */
    public boolean isRecent(long nowNanos) {
        return nowNanos - atNanos < TOLD_FOR.toNanos();
    }

    /** How long ago it was. */
    public double secondsAgo(long nowNanos) {
        return (nowNanos - atNanos) / 1e9;
    }
}
