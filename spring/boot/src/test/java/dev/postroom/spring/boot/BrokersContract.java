package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.MessageHandler;
import dev.postroom.kafka.Kafka;
import dev.postroom.kafka.KafkaInbox;
import dev.postroom.outbox.Outbox;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.rabbitmq.RabbitMqInbox;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TcpProxy;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a service does with a broker, with the clients that a Spring Boot brings: they are not those we are built with. */
@Tag("R60")
@Timeout(180)
public abstract class BrokersContract {
    private final TestDatabase database = migrated();
    private final Outbox outbox = Outbox.on(database.dataSource());
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final MessageHandler handler = (message, tx) -> received.add(message.id());

    @Test
    void kafka_is_sent_to_and_received_from_beyond_an_outage() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start()) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
                admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                        .all()
                        .get();
            }
            Kafka kafka = Kafka.at(broker.address())
                    .property("delivery.timeout.ms", "5000")
                    .property("max.block.ms", "2000");
            KafkaInbox inbox = KafkaInbox.at(broker.address(), "billing")
                    .topics("orders")
                    .start(Inbox.on(database.dataSource()), handler);
            try (Relay relay = relayTo(kafka)) {
                assertThat(relay.isRunning()).isTrue();
                arriveBeyondOutage(broker.network());
            } finally {
                inbox.close();
            }
            assertThat(members(broker))
                    .as("members that did not leave the group")
                    .isZero();
        }
    }

    private static int members(KafkaBroker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            return admin.describeConsumerGroups(List.of("billing"))
                    .describedGroups()
                    .get("billing")
                    .get()
                    .members()
                    .size();
        }
    }

    @Test
    void rabbitmq_is_sent_to_and_received_from_beyond_an_outage() throws Exception {
        RabbitMqBroker broker = RabbitMqBroker.shared();
        String name = "boot-" + UUID.randomUUID();
        try (TcpProxy network = TcpProxy.to(broker.host(), broker.port())) {
            RabbitMqInbox inbox = RabbitMqInbox.at(broker.uri(), name)
                    .bind(name, "#")
                    .start(Inbox.on(database.dataSource()), handler);
            try (Relay relay = relayTo(RabbitMq.at(broker.uriAt(network.port())).exchange(name))) {
                assertThat(relay.isRunning()).isTrue();
                arriveBeyondOutage(network);
            } finally {
                inbox.close();
            }
        }
    }

    private void arriveBeyondOutage(TcpProxy network) {
        String first = publish();
        eventually().until(() -> received.contains(first));
        network.refuse();
        String second = publish();
        network.accept();
        String third = publish();
        eventually().until(() -> received.containsAll(List.of(second, third)));
        assertThat(received).containsOnlyOnce(first, second, third);
        eventually().until(() -> left() == 0);
    }

    private String publish() {
        return outbox.publishInOwnTransaction(Message.to("orders").key("1").text("text/plain", "x"))
                .id()
                .toString();
    }

    private Relay relayTo(Transport transport) {
        return Relay.on(database.dataSource())
                .deliverTo(Destination.of("out", transport).probeInterval(Duration.ofMillis(200)))
                .start();
    }

    /** Messages that are not settled. */
    private int left() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM postroom_message")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(50));
    }

    private static TestDatabase migrated() {
        TestDatabase database = H2.freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        return database;
    }
}
