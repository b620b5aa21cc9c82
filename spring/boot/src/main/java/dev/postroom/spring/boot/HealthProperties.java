package dev.postroom.spring.boot;

import dev.postroom.operations.HealthThresholds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Health thresholds.
 *
 * @param backlog Messages that wait.
 * @param oldestAge How long the oldest of them has waited.
 * @param failedRatio Failed attempts among all outcomes of the last minute, 0 to 1.
 * @param stuckAfter How long a send or a lane may stand still.
 */
public record HealthProperties(
        @DefaultValue Backlog backlog,
        @DefaultValue OldestAge oldestAge,
        @DefaultValue FailedRatio failedRatio,
        @DefaultValue StuckAfter stuckAfter) {

    /**
     * Messages that wait.
     *
     * @param degraded From here on DEGRADED.
     * @param down From here on DOWN.
     */
    public record Backlog(
            @DefaultValue("100000") long degraded,
            @DefaultValue("1000000") long down) {}

    /**
     * How long the oldest message has waited.
     *
     * @param degraded From here on DEGRADED.
     * @param down From here on DOWN.
     */
    public record OldestAge(
            @DefaultValue("5m") Duration degraded,
            @DefaultValue("1h") Duration down) {}

    /**
     * Failed attempts among all outcomes of the last minute.
     *
     * @param degraded From here on DEGRADED.
     * @param down From here on DOWN.
     */
    public record FailedRatio(
            @DefaultValue("0.1") double degraded,
            @DefaultValue("0.5") double down) {}

    /**
     * How long a send or a lane may stand still.
     *
     * @param degraded From here on DEGRADED.
     * @param down From here on DOWN.
     */
    public record StuckAfter(
            @DefaultValue("5m") Duration degraded,
            @DefaultValue("15m") Duration down) {}

    public HealthThresholds thresholds() {
        return new HealthThresholds(
                new HealthThresholds.Limit<>(backlog.degraded(), backlog.down()),
                new HealthThresholds.Limit<>(oldestAge.degraded(), oldestAge.down()),
                new HealthThresholds.Limit<>(failedRatio.degraded(), failedRatio.down()),
                new HealthThresholds.Limit<>(stuckAfter.degraded(), stuckAfter.down()));
    }
}
