package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay that delivers to a real broker. */
class KafkaRelayTest {
    private static final int KEYS = 50;

    private TestDatabase database;
    private Outbox outbox;
    private Operations operations;
    private Relay relay;

    @BeforeEach
    void migrate() {
        database = H2.freshDatabase();
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        outbox = Outbox.on(database.dataSource());
        operations = Operations.as("tester", store.operations(), store.maintenance());
    }

    @AfterEach
    void stop() {
        if (relay != null) {
            relay.close();
        }
    }

    private void relayTo(Kafka kafka) {
        relay = Relay.on(database.dataSource())
                .deliverTo(Destination.of("kafka", kafka).probeInterval(Duration.ofMillis(200)))
                .retry(new RetryPolicy(Duration.ZERO, 1, Duration.ZERO, 0, 3))
                .lease(Duration.ofSeconds(6))
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50))
                .start();
    }

    private UUID publish(String topic, String key, String text) {
        return outbox.publishInOwnTransaction(Message.to(topic).key(key).text("text/plain", text))
                .id();
    }

    private void publishMany(String topic, int from, int to) {
        for (int start = from; start < to; start += 500) {
            List<Message> messages = new ArrayList<>();
            for (int i = start; i < Math.min(to, start + 500); i++) {
                messages.add(Message.to(topic).key("k" + i % KEYS).text("text/plain", "" + i));
            }
            outbox.inTransaction(tx -> tx.publishAll(messages));
        }
    }

    private MessageDetail find(UUID id) {
        return operations.find(id).orElseThrow();
    }

    private long count(MessageStatus status) {
        return operations
                .list(MessageFilter.builder().status(status).build(), 0, 1)
                .total();
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(50));
    }

    /** All arrived, and of each key the first arrivals in order; some may have arrived twice. */
    private static void assertAllInOrder(TestTopic topic, int count) {
        int seen = 0;
        for (int key = 0; key < KEYS; key++) {
            List<String> first = new ArrayList<>(new LinkedHashSet<>(topic.texts("k" + key)));
            List<String> wanted = new ArrayList<>();
            for (int i = key; i < count; i += KEYS) {
                wanted.add("" + i);
            }
            assertThat(first).containsExactlyElementsOf(wanted);
            seen += first.size();
        }
        assertThat(seen).isEqualTo(count);
    }

    @Test
    @Tag("R20")
    @Tag("R22")
    @Tag("R26")
    void a_broker_that_is_killed_in_mid_stream_loses_reorders_and_kills_nothing() {
        try (KafkaBroker broker = KafkaBroker.start();
                TestTopic topic = TestTopic.create(broker)) {
            relayTo(Kafka.at(broker.address()));
            publishMany(topic.name(), 0, 2_000);
            eventually().until(() -> topic.records().size() > 100);
            broker.kill();
            publishMany(topic.name(), 2_000, 12_000); // 10,000 while it is down
            assertThat(count(MessageStatus.DEAD)).isZero();
            broker.restart();
            eventually().until(() -> operations.list(MessageFilter.ALL, 0, 1).total() == 0);
            assertThat(count(MessageStatus.DEAD)).isZero();
            assertThat(operations
                            .list(MessageFilter.builder().minAttempts(1).build(), 0, 1)
                            .total())
                    .isZero();
            assertAllInOrder(topic, 12_000);
        }
    }

    @Test
    @Tag("R26")
    void a_network_that_breaks_again_and_again_loses_and_reorders_nothing() {
        try (KafkaBroker broker = KafkaBroker.start();
                TestTopic topic = TestTopic.create(broker)) {
            relayTo(Kafka.at(broker.address()));
            for (int round = 0; round < 5; round++) {
                publishMany(topic.name(), round * 1_000, (round + 1) * 1_000);
                broker.network().cut();
            }
            eventually().until(() -> operations.list(MessageFilter.ALL, 0, 1).total() == 0);
            assertAllInOrder(topic, 5_000);
        }
    }

    @Test
    @Tag("R26")
    void an_unknown_topic_holds_itself_only_and_goes_on_when_it_is_there() {
        KafkaBroker broker = KafkaBroker.shared();
        String missing = "missing-" + UUID.randomUUID();
        try (TestTopic topic = TestTopic.create(broker)) {
            relayTo(Kafka.at(broker.address()));
            UUID waiting = publish(missing, "1", "a");
            List<UUID> others = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                others.add(publish(topic.name(), "2", "" + i));
            }
            eventually()
                    .until(() -> others.stream().allMatch(id -> find(id).item().status() == MessageStatus.PROCESSED));
            assertThat(find(waiting).item().status()).isNotEqualTo(MessageStatus.PROCESSED);
            assertThat(find(waiting).item().attempts()).isZero();
            try (TestTopic created = TestTopic.create(broker, missing, Map.of())) {
                eventually().until(() -> find(waiting).item().status() == MessageStatus.PROCESSED);
                assertThat(created.texts("1")).containsExactly("a");
            }
        }
    }

    @Test
    @Tag("R25")
    @Tag("R27")
    @Tag("R28")
    void what_is_too_large_is_dead_at_once_and_blocks_its_key_only() {
        KafkaBroker broker = KafkaBroker.shared();
        try (TestTopic topic =
                TestTopic.create(broker, "orders-" + UUID.randomUUID(), Map.of("max.message.bytes", "5000"))) {
            relayTo(Kafka.at(broker.address()).property("batch.size", "0"));
            for (int i = 0; i < 20; i++) {
                publish(topic.name(), "a", "" + i);
            }
            UUID large = publish(topic.name(), "a", "x".repeat(6_000));
            for (int i = 20; i < 40; i++) {
                publish(topic.name(), "a", "" + i);
            }
            UUID other = publish(topic.name(), "b", "b");
            eventually().until(() -> find(large).item().status() == MessageStatus.DEAD);
            eventually().until(() -> find(other).item().status() == MessageStatus.PROCESSED);
            assertThat(find(large).item().attempts()).isEqualTo(1);
            assertThat(count(MessageStatus.DEAD)).isEqualTo(1);
            assertThat(new LinkedHashSet<>(topic.texts("a"))).hasSize(20);
            assertThat(operations
                            .list(MessageFilter.builder().minAttempts(1).build(), 0, 1)
                            .total())
                    .isEqualTo(1);
        }
    }
}
