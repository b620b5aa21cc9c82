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
import java.util.concurrent.ConcurrentSkipListMap;

/** RabbitMQ with one quorum queue that gets everything: the queue that people use when no message may be lost. */
final class RabbitMqForBench implements Broker {
    private static final String EXCHANGE = "bench";
    private static final String QUEUE = "bench";
    private static final int PERSISTENT = 2;

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
    public BareClient bareClient(Map<String, String> attributes) throws Exception {
        Channel channel = connection.createChannel();
        channel.confirmSelect();
        ConcurrentSkipListMap<Long, Runnable> unconfirmed = new ConcurrentSkipListMap<>();
        channel.addConfirmListener(
                (number, multiple) -> confirmed(unconfirmed, number, multiple), (number, multiple) -> {
                    throw new IllegalStateException("RabbitMQ rejected a message: this must never be");
                });
        Map<String, Object> headers = new HashMap<>();
        attributes.forEach((name, value) -> headers.put("cloudEvents:" + name, value));
        BasicProperties persistent = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .headers(headers)
                .build();
        return new BareClient() {
            @Override
            public void publish(String key, byte[] payload, Runnable confirmed) throws Exception {
                unconfirmed.put(channel.getNextPublishSeqNo(), confirmed);
                channel.basicPublish(EXCHANGE, "bench.orders", true, persistent, payload);
            }

            @Override
            public void close() throws Exception {
                channel.close();
            }
        };
    }

    private static void confirmed(ConcurrentSkipListMap<Long, Runnable> unconfirmed, long number, boolean multiple) {
        if (!multiple) {
            Runnable confirmed = unconfirmed.remove(number);
            if (confirmed != null) {
                confirmed.run();
            }
            return;
        }
        var all = unconfirmed.headMap(number, true);
        all.values().forEach(Runnable::run);
        all.clear();
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
