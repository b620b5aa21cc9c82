package dev.postroom.benchmark.chaos;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Takes from the queue whatever is in it, in its order, and connects again whenever the broker was gone. */
final class Receiver extends Thread {
    private static final String QUEUE = "chaos";
    private static final long PAUSE_MILLIS = 20;

    private final ConnectionFactory factory = new ConnectionFactory();
    private final List<Order> arrived = new ArrayList<>();
    private volatile boolean closed;

    /** Declares exchange and queue. */
    Receiver(Place place) throws Exception {
        super("chaos-receiver");
        setDaemon(true);
        factory.setUri(place.broker.uri());
        factory.setAutomaticRecoveryEnabled(false);
        try (Connection connection = factory.newConnection("chaos");
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(Place.EXCHANGE, "topic", true);
            channel.queueDeclare(QUEUE, true, false, false, null);
            channel.queueBind(QUEUE, Place.EXCHANGE, "#");
        }
    }

    @Override
    public void run() {
        try {
            boolean emptied = false;
            while (!emptied) {
                try (Connection connection = factory.newConnection("chaos");
                        Channel channel = connection.createChannel()) {
                    receive(channel);
                    emptied = true;
                } catch (IOException | TimeoutException | RuntimeException e) {
                    // The broker is gone. What was not acknowledged comes again, in its old place.
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One by one: a message is remembered before it is acknowledged, so it may be remembered twice, and never not at all. */
    private void receive(Channel channel) throws IOException, InterruptedException {
        while (true) {
            boolean last = closed;
            GetResponse message = channel.basicGet(QUEUE, false);
            if (message == null) {
                if (last) {
                    return;
                }
                Thread.sleep(PAUSE_MILLIS);
                continue;
            }
            synchronized (arrived) {
                arrived.add(Order.parse(new String(message.getBody(), StandardCharsets.UTF_8)));
            }
            channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
        }
    }

    List<Order> arrived() {
        synchronized (arrived) {
            return List.copyOf(arrived);
        }
    }

    /** Takes what is still in the queue, and ends. */
    void close() throws InterruptedException {
        closed = true;
        join(60_000);
    }
}
