package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testkit.contract.DestinationUnderTest.Received;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A durable queue of one test's own behind an exchange of its own, and what was in it. */
final class TestQueue implements AutoCloseable {
    final String exchange = "test-" + UUID.randomUUID();
    final String queue = exchange + "-queue";
    private final String uri;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    final List<BasicProperties> properties = new CopyOnWriteArrayList<>();
    private Connection connection;
    private Channel channel;

    private TestQueue(String uri) {
        this.uri = uri;
    }

    /** Exchange and queue, bound for this routing key, and a consumer. */
    static TestQueue bound(RabbitMqBroker broker, String bindingKey) throws Exception {
        TestQueue queue = declared(broker, Map.of());
        queue.bind(bindingKey);
        queue.consume();
        return queue;
    }

    /** Exchange and queue with these arguments, neither bound nor consumed. */
    static TestQueue declared(RabbitMqBroker broker, Map<String, Object> arguments) throws Exception {
        TestQueue queue = new TestQueue(broker.uri());
        queue.connect();
        queue.channel.exchangeDeclare(queue.exchange, "topic", true);
        queue.channel.queueDeclare(queue.queue, true, false, false, arguments);
        return queue;
    }

    void bind(String bindingKey) throws IOException {
        channel.queueBind(queue, exchange, bindingKey);
    }

    Channel channel() {
        return channel;
    }

    /** Connects, or connects again after the broker has ended. */
    void connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        factory.setAutomaticRecoveryEnabled(false);
        connection = factory.newConnection("test");
        channel = connection.createChannel();
    }

    void consume() throws IOException {
        channel.basicConsume(
                queue,
                true,
                (tag, delivery) -> {
                    properties.add(delivery.getProperties());
                    received.add(AmqpEvents.read(delivery.getProperties(), delivery.getBody()));
                },
                tag -> {});
    }

    List<Received> received() {
        return received;
    }

    void awaitMessages(int count) throws IOException {
        Awaitility.await().until(() -> channel.messageCount(queue) >= count);
    }

    @Override
    public void close() {
        try {
            if (!connection.isOpen()) {
                connect();
            }
            if (!channel.isOpen()) {
                channel = connection.createChannel();
            }
            channel.queueDelete(queue);
            channel.exchangeDelete(exchange);
        } catch (Exception e) {
            // the broker has gone, and both with it
        } finally {
            connection.abort(1_000);
        }
    }
}
