package dev.postroom.benchmark;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.RabbitMqBroker;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** RabbitMQ with one quorum queue that gets everything: the queue that people use when no message may be lost. */
final class RabbitMqForBench implements Broker {
    private static final String EXCHANGE = "bench";
    private static final String QUEUE = "bench";
    private static final int PERSISTENT = 2;
    private static final int PATIENCE_SECONDS = 60;

    private final RabbitMqBroker broker = RabbitMqBroker.shared();
    private final Connection connection;

    RabbitMqForBench() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        this.connection = factory.newConnection("bench");
        try (Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(EXCHANGE, "topic", true);
            channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind(QUEUE, EXCHANGE, "#");
        }
    }

    @Override
    public Transport transport() {
        return RabbitMq.at(broker.uri()).exchange(EXCHANGE);
    }

    @Override
    public double barePublish(int messages, byte[] payload, Map<String, String> attributes) throws Exception {
        try (Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            Semaphore window = new Semaphore(WINDOW);
            ConcurrentSkipListSet<Long> unconfirmed = new ConcurrentSkipListSet<>();
            channel.addConfirmListener(
                    (number, multiple) -> confirmed(unconfirmed, window, number, multiple), (number, multiple) -> {
                        throw new IllegalStateException("RabbitMQ rejected a message: this must never be");
                    });
            Map<String, Object> headers = new HashMap<>();
            attributes.forEach((name, value) -> headers.put("cloudEvents:" + name, value));
            BasicProperties persistent = new BasicProperties.Builder()
                    .deliveryMode(PERSISTENT)
                    .headers(headers)
                    .build();
            long start = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                window.acquire();
                unconfirmed.add(channel.getNextPublishSeqNo());
                channel.basicPublish(EXCHANGE, "bench.orders", true, persistent, payload);
            }
            if (!window.tryAcquire(WINDOW, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("RabbitMQ confirmed not everything in " + PATIENCE_SECONDS + " s");
            }
            return messages * 1e9 / (System.nanoTime() - start);
        }
    }

    private static void confirmed(
            ConcurrentSkipListSet<Long> unconfirmed, Semaphore window, long number, boolean multiple) {
        if (!multiple) {
            unconfirmed.remove(number);
            window.release();
            return;
        }
        var all = unconfirmed.headSet(number, true);
        int count = all.size();
        all.clear();
        window.release(count);
    }

    @Override
    public long takeArrived() throws Exception {
        try (Channel channel = connection.createChannel()) {
            return channel.queuePurge(QUEUE).getMessageCount();
        }
    }

    @Override
    public void close() throws Exception {
        connection.close();
    }
}
