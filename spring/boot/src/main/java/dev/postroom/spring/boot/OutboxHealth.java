package dev.postroom.spring.boot;

import dev.postroom.operations.Health;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.Readings;
import dev.postroom.operations.Readings.Reading;
import dev.postroom.operations.RelayReport.Restart;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spring.RelayLifecycle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the outbox is, for the health indicators of Boot 3 and Boot 4. Thread-safe.
 *
 * @param relay null when this application does not deliver
 */
public record OutboxHealth(
        Outbox outbox,
        Readings readings,
        HealthThresholds thresholds,
        @Nullable RelayLifecycle relay) {

    /**
     * What was found.
     *
     * @param status UP, DEGRADED or DOWN
     */
    public record Report(String status, Map<String, Object> details) {}

    /** Asks the database; what that throws means down, too. */
    public Report report() {
        String missing = relay == null ? null : relay.waitsFor();
        if (missing != null) {
            return new Report("DOWN", Map.of("relay", "waits for the database: " + missing));
        }
        Reading reading = readings.current();
        Health health = reading.health(thresholds);
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("database", outbox.store().description());
        details.put("backlog", reading.stats().backlog());
        details.put("oldestAgeSeconds", reading.stats().oldestAgeSeconds());
        details.put("blockedStreams", reading.stats().blockedStreams());
        details.put("dead", reading.stats().dead());
        if (relay == null) {
            details.put("relay", "none in this application");
        } else {
            Relay running = relay.relay();
            boolean delivers = running != null && running.isRunning();
            Restart restart = running == null ? null : running.lastRestart().orElse(null);
            details.put("relay", delivers ? "running" : restart == null ? "stopped" : "begins anew after a failure");
            if (restart != null) {
                health = health.without(Health.Code.RELAY_RESTARTED).with(Health.restarted("the relay", restart));
            }
            if (running != null) {
                details.put("destinations", running.destinations());
            }
            if (!delivers) {
                details.put("reasons", reasons(health));
                return new Report("DOWN", details);
            }
            // It is here and runs, though it may not have written that down yet.
            health = health.without(Health.Code.NO_RELAY);
        }
        details.put("reasons", reasons(health));
        return new Report(health.status().name(), details);
    }

    private static List<String> reasons(Health health) {
        return health.reasons().stream()
                .map(reason -> reason.code() + ": " + reason.text() + "; " + reason.action())
                .toList();
    }
}
