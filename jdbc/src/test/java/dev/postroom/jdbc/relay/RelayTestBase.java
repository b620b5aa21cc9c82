package dev.postroom.jdbc.relay;

import dev.postroom.Message;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database of its own with Postroom's tables, and relays that are quick to notice things. */
abstract class RelayTestBase {
    static final RetryPolicy AT_ONCE = new RetryPolicy(Duration.ZERO, 1, Duration.ZERO, 0, 3);

    private final Supplier<TestDatabase> databases;
    private final List<AutoCloseable> opened = new ArrayList<>();
    TestDatabase database;
    Outbox outbox;
    Operations operations;

    RelayTestBase(Supplier<TestDatabase> databases) {
        this.databases = databases;
    }

    @BeforeEach
    void migrate() {
        database = databases.get();
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        outbox = Outbox.on(database.dataSource());
        operations = Operations.as("tester", store.operations(), store.maintenance());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    <T extends AutoCloseable> T closedAfterwards(T resource) {
        opened.add(resource);
        return resource;
    }

    Relay.Builder relay() {
        return Relay.on(database.dataSource())
                .retry(AT_ONCE)
                .lease(Duration.ofSeconds(2))
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50))
                .stopTimeout(Duration.ofSeconds(10));
    }

    UUID publish(String topic, String key, String text) {
        return publish(Message.to(topic).key(key).text("text/plain", text));
    }

    UUID publish(Message message) {
        return outbox.publishInOwnTransaction(message).id();
    }

    MessageStatus status(UUID id) {
        return operations.find(id).orElseThrow().item().status();
    }

    /** Messages in the live table. */
    long live() {
        return operations.list(MessageFilter.ALL, 0, 1).total();
    }

    long count(MessageStatus status) {
        return operations
                .list(MessageFilter.builder().status(status).build(), 0, 1)
                .total();
    }

    static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }
}
