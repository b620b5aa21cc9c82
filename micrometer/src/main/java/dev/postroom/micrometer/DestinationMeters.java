package dev.postroom.micrometer;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What is known of one destination. Histograms have no other tags, because each of their series is twenty. Thread-safe. */
final class DestinationMeters {
    /** From what a healthy relay needs to an outage over night. */
    private static final Duration[] LATENCIES = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofHours(1),
        Duration.ofHours(6),
        Duration.ofHours(24)
    };

    static final String HELD = "postroom.held";
    static final String HELD_HELP =
            "Topics that are held because the destination does not take them, or no route matches";

    private static final double[] ATTEMPTS = {1, 2, 3, 5, 10, 20};

    private final Timer delivery;
    private final DistributionSummary attempts;
    private final Set<String> heldTopics = ConcurrentHashMap.newKeySet();
    private volatile boolean held;

    DestinationMeters(Meters meters, Tags destination) {
        this.delivery = meters.timer(
                "postroom.delivery", "From when a message was written to its confirmation", destination, LATENCIES);
        this.attempts = meters.summary(
                "postroom.delivery.attempts",
                null,
                "How many attempts a delivered message took",
                destination,
                ATTEMPTS);
        meters.gauge(
                "postroom.breaker.open",
                null,
                "1 while everything for the destination is held because it is down",
                destination,
                () -> held ? 1 : 0);
        meters.gauge(HELD, "topics", HELD_HELP, destination, heldTopics::size);
    }

    void delivered(Duration age, int attemptsTaken) {
        delivery.record(age);
        attempts.record(attemptsTaken);
    }

    void hold(String topic, boolean open) {
        if (open) {
            heldTopics.add(topic);
        } else {
            heldTopics.remove(topic);
        }
    }

    void hold(boolean open) {
        held = open;
    }

    void nothingHeld() {
        held = false;
        heldTopics.clear();
    }
}
