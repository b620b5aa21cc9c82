package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.engine.Moment;
import dev.postroom.spi.LaneStore.Lease;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Until when which lane is known to be ours, learned from what passes between the engine and the keeper's desk. The engine
 * gives each send the deadline that it knows at that time; a send that waits here for its destination's pace may outlive it
 * while the lane is renewed. By the same rule as the engine's: counted from before the renewal was asked for, minus a sixth
 * of the lease, and forgotten when the clocks disagree. For one thread.
 */
final class LaneTrust {
    private final Map<Integer, Held> held = new HashMap<>();
    private @Nullable Moment askedAt;
    private long leaseNanos;

    private record Held(long epoch, long until) {}

    /** The engine asks the keeper. */
    void asked(Command command, Moment now) {
        Duration lease = null;
        if (command instanceof Command.Beat beat) {
            lease = beat.lease();
        } else if (command instanceof Command.Acquire acquire) {
            lease = acquire.lease();
        }
        if (lease != null) {
            askedAt = now;
            leaseNanos = lease.toNanos();
        }
    }

    /** Something happened; the keeper's answers are what matters, and whether the clocks still agree. */
    void heard(Event event, Moment now) {
        if (askedAt != null && jumped(askedAt, now)) {
            askedAt = null;
            held.clear();
        } else if (event instanceof Event.Beaten beaten) {
            held.clear();
            believe(beaten.held());
        } else if (event instanceof Event.Acquired acquired) {
            believe(acquired.leases());
        }
    }

    private void believe(List<Lease> leases) {
        Moment asked = askedAt;
        if (asked != null) {
            long until = asked.nanos() + leaseNanos - leaseNanos / 6;
            leases.forEach(lease -> held.put(lease.lane(), new Held(lease.epoch(), until)));
        }
    }

    private boolean jumped(Moment from, Moment to) {
        long forward = (to.nanos() - from.nanos()) / 1_000_000;
        long wall = to.wallMillis() - from.wallMillis();
        return Math.abs(wall - forward) > leaseNanos / 6 / 1_000_000;
    }

    /** The lane's epoch now, -1 when it is not ours. */
    long epoch(int lane) {
        Held known = held.get(lane);
        return known == null ? -1 : known.epoch();
    }

    /** Until when a message that was sent in this epoch may go out. */
    long until(int lane, long epoch) {
        Held known = held.get(lane);
        return known == null || known.epoch() != epoch ? Long.MIN_VALUE : known.until();
    }
}
