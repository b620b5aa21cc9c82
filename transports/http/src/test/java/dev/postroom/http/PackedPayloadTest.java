package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.handler.Handlers;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import dev.postroom.transport.cloudevents.ContentMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows written by SQL whose few bytes would be gigabytes; this JVM has a heap of one. */
@Tag("R60")
class PackedPayloadTest {
    private static final int ROWS = 12;

    /** One part after the other, as gzip allows: 16 MiB of nothing each, a gigabyte together. */
    private static byte[] bomb() throws IOException {
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(part)) {
            gzip.write(new byte[16 << 20]);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < 60; i++) {
            all.writeBytes(part.toByteArray());
        }
        return all.toByteArray();
    }

    private static UUID insert(TestDatabase database, String topic, byte[] packed) throws SQLException {
        UUID id = UUID.randomUUID();
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO postroom_message (id, topic, payload, content_encoding) VALUES (?, ?, ?, 'gzip')")) {
            insert.setObject(1, id);
            insert.setString(2, topic);
            insert.setBytes(3, packed);
            insert.executeUpdate();
        }
        return id;
    }

    @Test
    void payloads_that_would_fill_the_memory_are_dead_and_the_others_go_on() throws Exception {
        TestDatabase database = H2.freshDatabase();
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        Operations operations = Operations.as("tester", store.operations(), store.maintenance());
        byte[] bomb = bomb();
        List<UUID> bombs = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            bombs.add(insert(database, i % 2 == 0 ? "inside" : "outside", bomb));
        }
        Outbox outbox = Outbox.on(database.dataSource());
        outbox.publishInOwnTransaction(Message.to("inside").text("text/plain", "honest"));
        outbox.publishInOwnTransaction(Message.to("outside").text("text/plain", "honest"));
        List<String> handled = new CopyOnWriteArrayList<>();
        try (Receiver receiver = Receiver.start();
                Relay relay = Relay.on(database.dataSource())
                        .deliverTo(Destination.of(
                                "hook",
                                Webhook.to(receiver.url())
                                        .allowPrivateAddresses()
                                        .contentMode(ContentMode.STRUCTURED)))
                        .deliverTo(Destination.of(
                                "handlers",
                                Handlers.create()
                                        .otherwise(delivery ->
                                                handled.add(delivery.id().toString()))))
                        .route(Route.of("inside", "handlers"))
                        .route(Route.of("outside", "hook"))
                        .pollMax(Duration.ofMillis(50))
                        .start()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> bombs.stream()
                            .allMatch(id -> detail(operations, id).item().status() == MessageStatus.DEAD));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> handled.size() == 1 && receiver.requests().size() == 1);
        }
        assertThat(detail(operations, bombs.get(0)).error()).contains("when decompressed");
        assertThat(detail(operations, bombs.get(1)).item().reason()).isEqualTo(FailureReason.SERIALIZATION);
    }

    private static MessageDetail detail(Operations operations, UUID id) {
        return operations.find(id).orElseThrow();
    }
}
