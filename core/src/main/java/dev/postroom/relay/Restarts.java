package dev.postroom.relay;

import dev.postroom.engine.Restart;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How often a relay has failed lately, and how long it waits before it begins anew: longer each time. Thread-safe. */
final class Restarts {
    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Duration routingDelay;
    /** Since when its engine runs; null between a failure and the next start. */
    private @Nullable Long wellSince;

    private volatile @Nullable Restart latest;

    Restarts(Duration routingDelay, long nowNanos) {
        this.routingDelay = routingDelay;
        this.wellSince = nowNanos;
    }

    /**
     * It failed now. If it has been well long enough for its routes to take over, this failure does not change that, or an older
     * routing would be in force until it has lived as long again. One that fails sooner begins anew: a version that fails at its
     * start never takes over, and one that has begun to fail again and again gives way to an older one.
     */
    synchronized Restart note(Throwable failure, long nowNanos) {
        Restart before = recent(nowNanos);
        String why = failure instanceof RelayFailure ? Errors.describe(failure) : Errors.withClass(failure);
        Long since = wellSince;
        boolean ripe = since != null && nowNanos - since >= routingDelay.toNanos();
        wellSince = null;
        Restart now = new Restart(before == null ? 1 : before.times() + 1, why, nowNanos, ripe);
        latest = now;
        return now;
    }

    /** Its next engine begins. The pause before, which may be longer than the delay, was no time in which it was well. */
    synchronized void began(long nowNanos) {
        wellSince = nowNanos;
    }

    /** The latest failure, unless the relay has been well for a while since. */
    @Nullable
    Restart recent(long nowNanos) {
        Restart restart = latest;
        return restart == null || !restart.isRecent(nowNanos) ? null : restart;
    }

    /** A second, then twice as long each time, up to a minute. */
    static Duration pauseAfter(Restart restart) {
        Duration pause = FIRST_PAUSE;
        for (int i = 1; i < restart.times() && pause.compareTo(LONGEST_PAUSE) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
