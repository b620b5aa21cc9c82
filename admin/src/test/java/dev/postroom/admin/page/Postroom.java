package dev.postroom.admin.page;

import static org.awaitility.Awaitility.await;

import dev.postroom.Message;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import dev.postroom.operations.RoutingText;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/** An outbox and a relay that works, for all tests of this JVM; each test keeps to topics of its own. */
final class Postroom implements AutoCloseable {
    static final String DESTINATION = "out";
    private static final String OTHER = "relay-elsewhere";

    /** What failed stays failed until somebody does something about it. */
    private static final RetryPolicy SLOW = new RetryPolicy(Duration.ofHours(1), 1, Duration.ofHours(1), 0, 5);

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    final Receiver receiver = new Receiver();
    final Store store;
    private final DataSource dataSource = H2.freshDatabase().dataSource();
    private final Outbox outbox;
    private final Relay relay;
    private final Operations operations;

    Postroom() {
        store = Store.open(dataSource, TableNames.DEFAULT);
        store.schema().migrate();
        relay = Relay.on(dataSource)
                .retry(SLOW)
                .deliverTo(Destination.of(DESTINATION, receiver).probeInterval(Duration.ofMillis(200)))
                .start();
        outbox = relay.outbox();
        operations = Operations.as("test", store.operations(), store.maintenance());
    }

    UUID publish(Message message) {
        return outbox.publishInOwnTransaction(message).id();
    }

    /** Published, and seen in this state. */
    UUID publish(Message message, MessageStatus status) {
        UUID id = publish(message);
        awaitStatus(id, status);
        return id;
    }

    /** A message that is there to be looked at. */
    UUID publishForLater(Message message) {
        return publish(message.deliverAfter(Duration.ofHours(1)), MessageStatus.SCHEDULED);
    }

    /** Published until one is held: a relay hears of a pause a moment later. */
    UUID publishHeld(Message message) {
        AtomicReference<UUID> latest = new AtomicReference<>(publish(message));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            boolean held = operations.find(latest.get()).orElseThrow().item().status() == MessageStatus.PENDING;
            if (!held) {
                latest.set(publish(message));
            }
            return held;
        });
        return latest.get();
    }

    void awaitStatus(UUID id, MessageStatus status) {
        await().atMost(PATIENCE)
                .until(
                        () -> operations
                                .find(id)
                                .map(found -> found.item().status())
                                .orElse(null),
                        found -> found == status);
    }

    void pauseTopic(String topic) {
        operations.pause(Pause.Target.topic(topic), "test");
    }

    /** Routes without the destination were in force, and another relay with other routes reaches it elsewhere. */
    void anotherRelayDeliversElsewhere() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "MERGE INTO postroom_routing (fingerprint, routes, in_force_from, in_force_to) KEY (fingerprint)"
                            + " VALUES ('before', '** -> other (block)', TIMESTAMP WITH TIME ZONE '2026-01-01 00:00:00+00', CURRENT_TIMESTAMP(6))");
        }
        String details = "{\"standsByFor\":\"relay-here\",\"addresses\":{\"out\":\"log elsewhere\"}}";
        RoutingText others = new RoutingText("** -> elsewhere (block)");
        try (LaneStore lanes = store.openLanes()) {
            // So young that it is not in force.
            lanes.report(new LaneStore.NodeReport(
                    OTHER, "host", "1", details, others, Duration.ofMinutes(1), Duration.ofHours(1)));
        }
    }

    private void theOtherRelayLeaves() {
        try (LaneStore lanes = store.openLanes()) {
            lanes.leave(OTHER);
        }
    }

    /** Nothing fails, nothing is paused, nothing waits. */
    void settleDown() {
        theOtherRelayLeaves();
        receiver.acceptAll();
        operations.pauses().forEach(pause -> operations.resume(pause.target(), "test"));
        operations.change(
                Change.DELETE,
                Bulk.of(MessageFilter.builder().status(MessageStatus.DEAD).build()),
                "test");
        operations.change(Change.SKIP, Bulk.ofEverything(), "test");
        await().atMost(PATIENCE)
                .until(() ->
                        operations.stats().backlog() == 0 && operations.stats().dead() == 0);
    }

    @Override
    public void close() {
        relay.close();
    }
}
