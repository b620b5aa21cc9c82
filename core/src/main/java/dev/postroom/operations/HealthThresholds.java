package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.time.Duration;

/**
 * Health thresholds. A value at or above {@code degraded} means DEGRADED, at or above {@code down} DOWN.
 *
 * @param backlog messages that wait
 * @param oldestAge how long the oldest of them has waited
 * @param failedRatio failed attempts among all outcomes of the last minute, 0 to 1
 * @param stuckAfter how long a send or a lane may stand still
 */
public record HealthThresholds(
        Limit<Long> backlog, Limit<Duration> oldestAge, Limit<Double> failedRatio, Limit<Duration> stuckAfter) {

    public static final HealthThresholds DEFAULT = new HealthThresholds(
            new Limit<>(100_000L, 1_000_000L),
            new Limit<>(Duration.ofMinutes(5), Duration.ofHours(1)),
            new Limit<>(0.1, 0.5),
            new Limit<>(Duration.ofMinutes(5), Duration.ofMinutes(15)));

    public HealthThresholds {
        backlog.check("backlog");
        oldestAge.check("oldest-age");
        failedRatio.check("failed-ratio");
        stuckAfter.check("stuck-after");
    }

    /** From where on something is bad, and from where on it is very bad. */
    public record Limit<T extends Comparable<T>>(T degraded, T down) {

        Health.Status status(T value) {
            if (value.compareTo(down) >= 0) {
                return Health.Status.DOWN;
            }
            return value.compareTo(degraded) >= 0 ? Health.Status.DEGRADED : Health.Status.UP;
        }

        T exceeded(Health.Status status) {
            return status == Health.Status.DOWN ? down : degraded;
        }

        private void check(String name) {
            if (degraded.compareTo(down) > 0) {
                throw new PostroomException("postroom.health." + name + ".degraded must not be above"
                        + " postroom.health." + name + ".down (were " + degraded + " and " + down + "): swap them");
            }
        }
    }
}
