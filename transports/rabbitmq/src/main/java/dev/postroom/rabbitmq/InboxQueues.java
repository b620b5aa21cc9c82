package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queues of a consumer. Looks first and declares only what is missing: so it needs no permission for what is there, nor
 * minds how that was declared. Thread-safe.
 */
final class InboxQueues {
    private final InboxSettings settings;
    private final Connection connection;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    InboxQueues(InboxSettings settings, Connection connection) {
        this.settings = settings;
        this.connection = connection;
    }

    /** The queue itself with its bindings, and the dead letters'. */
    void declare() throws IOException {
        require(settings.queue(), Map.of());
        for (InboxSettings.Binding binding : settings.bindings()) {
            requireMissing(
                    channel -> channel.exchangeDeclarePassive(binding.exchange()),
                    channel -> channel.exchangeDeclare(binding.exchange(), "topic", true));
            Channel channel = connection.createChannel();
            channel.queueBind(settings.queue(), binding.exchange(), binding.routingKey());
            channel.abort();
        }
        String dead = settings.deadQueue();
        if (dead != null) {
            require(dead, Map.of());
        }
    }

    /**
     * The queue in which a message waits so long, and from which it goes back by itself. There is one for each delay, because
     * in one for all a short delay would wait behind a long one. They are quorum queues, since only those hand a message over
     * without ever losing it: other kinds drop theirs before the next queue has it.
     */
    String waitingQueue(Duration delay) throws IOException {
        long millis = Math.max(1, delay.toMillis());
        String name = settings.waitingQueue(millis);
        if (!known.contains(name)) {
            require(
                    name,
                    Map.of(
                            "x-queue-type", "quorum",
                            "x-message-ttl", millis,
                            "x-dead-letter-exchange", "",
                            "x-dead-letter-routing-key", settings.queue(),
                            "x-dead-letter-strategy", "at-least-once",
                            "x-overflow", "reject-publish"));
            known.add(name);
        }
        return name;
    }

    private void require(String queue, Map<String, Object> arguments) throws IOException {
        requireMissing(
                channel -> channel.queueDeclarePassive(queue),
                channel -> channel.queueDeclare(queue, true, false, false, arguments));
    }

    private interface Step {
        void on(Channel channel) throws IOException;
    }

    private void requireMissing(Step look, Step declare) throws IOException {
        Channel channel = connection.createChannel();
        try {
            look.on(channel);
            channel.abort();
        } catch (IOException e) {
            if (!isNotFound(e)) {
                throw e;
            }
            Channel another = connection.createChannel(); // the first was closed for the question
            declare.on(another);
            another.abort();
        }
    }

    private static boolean isNotFound(IOException e) {
        return e.getCause() instanceof ShutdownSignalException signal
                && signal.getReason() instanceof AMQP.Channel.Close close
                && close.getReplyCode() == AMQP.NOT_FOUND;
    }
}
