package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.eventually;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.InboxTransaction;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A queue and a database of one test's own; the effect of a message is a row in the table {@code bills}. */
final class InboxFixture implements AutoCloseable {
    static final Duration DELAY = Duration.ofMillis(200);
    static final RetryPolicy QUICK = new RetryPolicy(DELAY, 1, DELAY, 0, 3);

    private static final List<String> WAITING_ROOMS =
            List.of(".wait.1s", ".wait.4s", ".wait.16s", ".wait.64s", ".wait.256s");

    final RabbitMqBroker broker;
    final TestDatabase database;
    final String queue = "inbox-" + UUID.randomUUID();
    private Connection connection;
    private Channel channel;

    InboxFixture(RabbitMqBroker broker, TestDatabase database) throws Exception {
        this.broker = broker;
        this.database = database;
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        try (java.sql.Connection sql = database.connect();
                Statement statement = sql.createStatement()) {
            statement.execute("CREATE TABLE bills (message_id varchar(100), body varchar(100))");
        }
        connect();
    }

    static InboxFixture onSharedBroker() throws Exception {
        return new InboxFixture(RabbitMqBroker.shared(), H2.freshDatabase());
    }

    /** Connects, or connects again after the broker has ended. */
    void connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        factory.setAutomaticRecoveryEnabled(false);
        connection = factory.newConnection("test");
        channel = connection.createChannel();
        channel.confirmSelect();
        channel.queueDeclare(queue, true, false, false, null);
    }

    Channel channel() {
        return channel;
    }

    Inbox inbox() {
        return Inbox.on(database.dataSource());
    }

    RabbitMqInbox.Builder consumer() {
        return RabbitMqInbox.at(broker.uri(), queue).retry(QUICK);
    }

    void send(String id, String body) throws Exception {
        send(
                new BasicProperties.Builder().messageId(id).deliveryMode(2).build(),
                body.getBytes(StandardCharsets.UTF_8));
    }

    void send(BasicProperties properties, byte[] body) throws Exception {
        channel.basicPublish("", queue, properties, body);
        channel.waitForConfirmsOrDie(10_000);
    }

    static void bill(ReceivedMessage message, InboxTransaction tx) throws SQLException {
        try (PreparedStatement insert = tx.connection().prepareStatement("INSERT INTO bills VALUES (?, ?)")) {
            insert.setString(1, message.id());
            insert.setString(2, new String(message.payload(), StandardCharsets.UTF_8));
            insert.executeUpdate();
        }
    }

    /** The ids of all messages that had an effect, as often as they had one. */
    List<String> bills() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (java.sql.Connection sql = database.connect();
                Statement statement = sql.createStatement();
                ResultSet rows = statement.executeQuery("SELECT message_id FROM bills")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    /** Waits for the next dead letter. */
    GetResponse deadLetter() {
        return eventually().until(this::get, java.util.Objects::nonNull);
    }

    private @Nullable GetResponse get() throws Exception {
        // The queue may not have been declared yet, and asking for it would end the channel.
        try (Channel asking = connection.createChannel()) {
            asking.queueDeclarePassive(queue + ".dead");
            return asking.basicGet(queue + ".dead", true);
        } catch (java.io.IOException notYet) {
            return null;
        }
    }

    /** Waits until the broker has nothing more for the consumer, neither ready nor unacknowledged, nor put off till later. */
    void awaitEmptyQueue(RabbitMqInbox consumer) {
        eventually().until(this::isEmpty);
        consumer.close(); // what was not acknowledged would be there again
        eventually().until(() -> channel.consumerCount(queue) == 0);
        org.assertj.core.api.Assertions.assertThat(messagesLeft()).isZero();
    }

    boolean isEmpty() throws Exception {
        return waiting() == 0 && channel.messageCount(queue) == 0;
    }

    /** How many messages are in the waiting rooms, of which some may not have been made. */
    private long waiting() throws Exception {
        long waiting = 0;
        for (String room : WAITING_ROOMS) {
            try (Channel asking = connection.createChannel()) {
                waiting += asking.messageCount(queue + room);
            } catch (java.io.IOException notThere) {
                // Asking for it has ended the channel.
            }
        }
        return waiting;
    }

    private long messagesLeft() {
        try {
            return channel.messageCount(queue);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            if (!connection.isOpen()) {
                connect();
            }
            channel.queueDelete(queue);
            channel.queueDelete(queue + ".dead");
            for (String room : WAITING_ROOMS) {
                channel.queueDelete(queue + room);
            }
        } catch (Exception e) {
            // the broker has gone, and all with it
        } finally {
            connection.abort(1_000);
        }
    }
}
