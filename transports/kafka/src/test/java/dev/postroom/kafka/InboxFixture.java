package dev.postroom.kafka;

import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.InboxTransaction;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A topic and a database of one test's own; the effect of a message is a row in the table {@code bills}. */
final class InboxFixture implements AutoCloseable {
    static final RetryPolicy QUICK = new RetryPolicy(Duration.ofMillis(200), 1, Duration.ofMillis(200), 0, 3);

    final KafkaBroker broker = KafkaBroker.shared();
    final TestDatabase database;
    final TestTopic topic = TestTopic.create(broker);
    final TestTopic dead = TestTopic.create(broker, topic.name() + ".dead", Map.of());
    final String group = "group-" + UUID.randomUUID();
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.address()), new ByteArraySerializer(), new ByteArraySerializer());

    InboxFixture(TestDatabase database) throws SQLException {
        this.database = database;
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        try (Connection sql = database.connect();
                Statement statement = sql.createStatement()) {
            statement.execute(
                    "CREATE TABLE bills (number integer GENERATED ALWAYS AS IDENTITY, message_id varchar(100))");
        }
    }

    Inbox inbox() {
        return Inbox.on(database.dataSource());
    }

    KafkaInbox.Builder consumer() {
        return KafkaInbox.at(broker.address(), group).topics(topic.name()).retry(QUICK);
    }

    void send(String id, String key) throws Exception {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic.name(), key.getBytes(StandardCharsets.UTF_8), "x".getBytes(StandardCharsets.UTF_8));
        record.headers().add("ce_id", id.getBytes(StandardCharsets.UTF_8));
        send(record);
    }

    void send(ProducerRecord<byte[], byte[]> record) throws Exception {
        producer.send(record).get();
    }

    static void bill(ReceivedMessage message, InboxTransaction tx) throws SQLException {
        try (PreparedStatement insert = tx.connection().prepareStatement("INSERT INTO bills (message_id) VALUES (?)")) {
            insert.setString(1, message.id());
            insert.executeUpdate();
        }
    }

    /** The ids of all messages that had an effect, in the order of the effects. */
    List<String> bills() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection sql = database.connect();
                Statement statement = sql.createStatement();
                ResultSet rows = statement.executeQuery("SELECT message_id FROM bills ORDER BY number")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
        topic.close();
        dead.close();
    }
}
