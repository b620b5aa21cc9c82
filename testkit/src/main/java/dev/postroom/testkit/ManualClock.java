package dev.postroom.testkit;

import dev.postroom.PostroomException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A clock that a test sets forward. It is a {@link Clock}, so that the code under test can use the same one. Thread-safe.
 *
 * <pre>{@code
 * clock.advance(Duration.ofMinutes(5)); // what waits up to five minutes is due now
 * }</pre>
 */
public final class ManualClock extends Clock {
    private final InstantSource base;
    private final List<Consumer<Duration>> listeners = new CopyOnWriteArrayList<>();
    private volatile Duration ahead = Duration.ZERO;

    private ManualClock(InstantSource base) {
        this.base = base;
    }

    /** Stands still at the time at which it was made, until it is set forward. */
    public static ManualClock standingStill() {
        return standingStillAt(InstantSource.system().instant());
    }

    /** Stands still at this instant, until it is set forward. */
    public static ManualClock standingStillAt(Instant instant) {
        return new ManualClock(InstantSource.fixed(instant));
    }

    /** Goes on by itself, and can be set forward besides. */
    public static ManualClock running() {
        return new ManualClock(InstantSource.system());
    }

    /** As if so much time had passed. Whoever reads it next sees it; a relay acts on it when it is drained. */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new PostroomException("a clock can only be set forward (was " + by + "): give a positive duration");
        }
        synchronized (this) {
            ahead = ahead.plus(by);
        }
        listeners.forEach(listener -> listener.accept(by));
    }

    /** Tells whoever keeps time in another way; for as long as the clock lives. */
    void onAdvance(Consumer<Duration> listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** In microseconds, as databases keep it. */
    @Override
    public Instant instant() {
        return base.instant().plus(ahead).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** The same clock, as seen in another time zone. */
    @Override
    public Clock withZone(ZoneId zone) {
        return new Clock() {
            @Override
            public Instant instant() {
                return ManualClock.this.instant();
            }

            @Override
            public ZoneId getZone() {
                return zone;
            }

            @Override
            public Clock withZone(ZoneId other) {
                return ManualClock.this.withZone(other);
            }
        };
    }
}
