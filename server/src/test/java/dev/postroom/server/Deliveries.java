package dev.postroom.server;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.RoutingText;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.LaneStore.Lease;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.RowKey;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.List;

/** What a relay would have left in the tables. */
public final class Deliveries {
    private static final String RELAY = "relay-1";

    private final Outbox outbox;

    public Deliveries(TestDatabase database) {
        this.outbox = Outbox.on(database.dataSource());
    }

    /** A message that was written and delivered. */
    public String delivered(Message message) {
        Published published = outbox.publishInOwnTransaction(message);
        try (MessageSettler settler = outbox.store().openSettler()) {
            settler.settle(new Batch(RELAY, List.of(new Success(key(published), 1, 1)), List.of(), true, List.of()));
        }
        return published.id().toString();
    }

    /** A message whose first attempt failed; null as delay makes it a dead letter. */
    public String failed(Message message, Duration retryAfter, String error) {
        Published published = outbox.publishInOwnTransaction(message);
        Lease lease = own(published.lane());
        Cause cause = new Cause(FailureReason.TIMEOUT, error, "billing");
        Failure failure = new Failure(key(published), 0, lease.epoch(), 1, retryAfter, true, 0, cause);
        try (MessageSettler settler = outbox.store().openSettler()) {
            settler.settle(new Batch(RELAY, List.of(), List.of(failure), true, List.of(lease)));
        }
        return published.id().toString();
    }

    /** A relay that lives and owns a lane. */
    public void relayReports() {
        relayReports("{\"inFlight\":3}");
    }

    /** A relay that lives, owns a lane and tells this about itself. */
    public void relayReports(String details) {
        own(0);
        try (LaneStore lanes = outbox.store().openLanes()) {
            lanes.report(new LaneStore.NodeReport(
                    RELAY, "host-a", "1.2.3", details, RoutingText.NONE, Duration.ofSeconds(10), Duration.ZERO));
        }
    }

    /** A relay that took a lane over from one whose routes lacked the audit, and which stands by now. */
    public void destinationJoins() {
        routesChange("orders -> billing (block)", "orders -> audit, billing (block)", () -> {});
    }

    /** A relay that took a lane over from one with other routes, by which something was delivered, and which stands by now. */
    public void routesChange(String before, String now, Runnable delivered) {
        Duration lease = Duration.ofMinutes(5);
        RoutingText old = new RoutingText(before);
        try (LaneStore lanes = outbox.store().openLanes()) {
            lanes.report(new LaneStore.NodeReport("relay-old", "host-a", "1.2.3", "{}", old, lease, Duration.ZERO));
            lanes.release("relay-old", lanes.acquire("relay-old", List.of(9), lease));
            delivered.run();
            lanes.report(new LaneStore.NodeReport(
                    "relay-new",
                    "host-b",
                    "1.2.4",
                    "{\"addresses\":{\"billing\":\"kafka b:9092\"}}",
                    new RoutingText(now),
                    lease,
                    Duration.ZERO));
            lanes.acquire("relay-new", List.of(9), lease);
            lanes.report(new LaneStore.NodeReport(
                    "relay-old",
                    "host-a",
                    "1.2.3",
                    "{\"standsByFor\":\"relay-new\",\"addresses\":{\"billing\":\"kafka a:9092\"}}",
                    old,
                    lease,
                    Duration.ZERO));
        }
    }

    /** A lane whose owner has not renewed its lease in time. */
    public void laneExpires() {
        try (LaneStore lanes = outbox.store().openLanes()) {
            lanes.acquire("relay-2", List.of(1), Duration.ofMillis(1));
        }
    }

    private Lease own(int lane) {
        try (LaneStore lanes = outbox.store().openLanes()) {
            lanes.acquire(RELAY, List.of(lane), Duration.ofMinutes(5));
            return lanes.renew(RELAY, Duration.ofMinutes(5)).stream()
                    .filter(lease -> lease.lane() == lane)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static RowKey key(Published published) {
        return new RowKey(published.lane(), published.seq(), published.id());
    }
}
