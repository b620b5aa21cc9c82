package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postroom.PostroomException;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a consumer. Looks first and declares only what is missing: so it needs no permission for what is there, nor
 * minds how that was declared. What it declares drops nothing, however often it is delivered, and is of the type of the
 * consumer's queue, so that it is replicated where that is. For one thread.
 */
final class InboxQueues {
    private static final Map<String, Object> CLASSIC = Map.of("x-queue-type", "classic");
    private static final Map<String, Object> QUORUM =
            Map.of("x-queue-type", "quorum", "x-delivery-limit", QueueTraits.NO_LIMIT);
    /** Quorum queues alone have such a limit: a virtual host where another type is the default refuses it. */
    private static final Map<String, Object> QUORUM_IF_DEFAULT = Map.of("x-delivery-limit", QueueTraits.NO_LIMIT);

    private final InboxSettings settings;
    private final Connection connection;

    InboxQueues(InboxSettings settings, Connection connection) {
        this.settings = settings;
        this.connection = connection;
    }

    /**
     * The queue itself with its bindings, those to wait in, and the dead letters'.
     *
     * @param known what an earlier connection has found out about the queue, so that no broker is asked again and again
     */
    QueueTraits declare(@Nullable QueueTraits known) throws IOException {
        QueueTraits traits = declareMain(known);
        for (InboxSettings.Binding binding : settings.bindings()) {
            if (!isFound(connection, channel -> channel.exchangeDeclarePassive(binding.exchange()))) {
                on(channel -> channel.exchangeDeclare(binding.exchange(), "topic", true));
            }
            on(channel -> channel.queueBind(settings.queue(), binding.exchange(), binding.routingKey()));
        }
        for (WaitingRoom room : WaitingRoom.values()) {
            requireLike(traits, room.queue(settings));
        }
        String dead = settings.deadQueue();
        if (dead != null) {
            requireLike(traits, dead);
        }
        return traits;
    }

    private QueueTraits declareMain(@Nullable QueueTraits known) throws IOException {
        if (!exists(connection, settings.queue())) {
            return declareByDefault(settings.queue());
        }
        QueueTraits traits = known == null ? QueueLook.at(connection, settings.queue()) : known;
        if (traits.type() == QueueTraits.Type.STREAM) {
            throw new PostroomException(
                    "queue '" + settings.queue() + "' is a stream, which does not know what was handled: a"
                            + " consumer would get nothing that was sent before it came, nor again what it had when it died. Bind a"
                            + " queue of another type to the same exchange, and consume that");
        }
        return traits;
    }

    private void requireLike(QueueTraits traits, String queue) throws IOException {
        if (exists(connection, queue)) {
            return;
        }
        if (traits.type() == null) {
            declareByDefault(queue);
        } else {
            on(channel -> channel.queueDeclare(
                    queue, true, false, false, traits.type() == QueueTraits.Type.QUORUM ? QUORUM : CLASSIC));
        }
    }

    /** Of the virtual host's default type, which the operator has chosen, unless it is one that no consumer empties. */
    private QueueTraits declareByDefault(String queue) throws IOException {
        try {
            on(channel -> channel.queueDeclare(queue, true, false, false, QUORUM_IF_DEFAULT));
            return QueueTraits.KEEPING;
        } catch (IOException e) {
            if (!isRefused(e, AMQP.PRECONDITION_FAILED)) {
                throw e;
            }
        }
        on(channel -> channel.queueDeclare(queue, true, false, false, CLASSIC));
        return QueueTraits.CLASSIC;
    }

    private interface Step {
        void on(Channel channel) throws IOException;
    }

    private void on(Step step) throws IOException {
        on(connection, step);
    }

    private static void on(Connection connection, Step step) throws IOException {
        Channel channel = connection.createChannel();
        step.on(channel);
        channel.abort();
    }

    static boolean exists(Connection connection, String queue) throws IOException {
        return isFound(connection, channel -> channel.queueDeclarePassive(queue));
    }

    private static boolean isFound(Connection connection, Step look) throws IOException {
        try {
            on(connection, look);
            return true;
        } catch (IOException e) {
            if (!isRefused(e, AMQP.NOT_FOUND)) {
                throw e;
            }
            return false; // the broker has closed the channel for the question
        }
    }

    private static boolean isRefused(IOException e, int code) {
        return e.getCause() instanceof ShutdownSignalException signal
                && signal.getReason() instanceof AMQP.Channel.Close close
                && close.getReplyCode() == code;
    }
}
