package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;

/**
 * The queues of a consumer. Looks first and declares only what is missing: so it needs no permission for what is there, nor
 * minds how that was declared. For one thread.
 */
final class InboxQueues {
    private final InboxSettings settings;
    private final Connection connection;

    InboxQueues(InboxSettings settings, Connection connection) {
        this.settings = settings;
        this.connection = connection;
    }

    /** The queue itself with its bindings, those to wait in, and the dead letters'. */
    void declare() throws IOException {
        require(settings.queue());
        for (InboxSettings.Binding binding : settings.bindings()) {
            requireMissing(
                    channel -> channel.exchangeDeclarePassive(binding.exchange()),
                    channel -> channel.exchangeDeclare(binding.exchange(), "topic", true));
            Channel channel = connection.createChannel();
            channel.queueBind(settings.queue(), binding.exchange(), binding.routingKey());
            channel.abort();
        }
        for (WaitingRoom room : WaitingRoom.values()) {
            require(room.queue(settings));
        }
        String dead = settings.deadQueue();
        if (dead != null) {
            require(dead);
        }
    }

    private void require(String queue) throws IOException {
        requireMissing(
                channel -> channel.queueDeclarePassive(queue),
                channel -> channel.queueDeclare(queue, true, false, false, null));
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
