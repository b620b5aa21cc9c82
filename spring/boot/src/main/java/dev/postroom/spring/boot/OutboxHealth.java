package dev.postroom.spring.boot;

import dev.postroom.operations.Stats;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spring.RelayLifecycle;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the outbox is, for the health indicators of Boot 3 and Boot 4. Thread-safe.
 *
 * @param relay null when this application does not deliver
 */
public record OutboxHealth(Outbox outbox, @Nullable RelayLifecycle relay) {

    /**
     * What was found.
     *
     * @param up false when the relay should run and does not
     */
    public record Report(boolean up, Map<String, Object> details) {}

    /** Asks the database; what that throws means down, too. */
    public Report report() {
        Stats stats = outbox.store().operations().stats();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("database", outbox.store().description());
        details.put("backlog", stats.backlog());
        details.put("oldestAgeSeconds", stats.oldestAgeSeconds());
        details.put("blocked", stats.blocked());
        details.put("dead", stats.dead());
        if (relay == null) {
            details.put("relay", "none in this application");
            return new Report(true, details);
        }
        Relay running = relay.relay();
        boolean delivers = running != null && running.isRunning();
        details.put("relay", delivers ? "running" : "stopped");
        if (running != null) {
            details.put("destinations", running.destinations());
        }
        return new Report(delivers, details);
    }
}
