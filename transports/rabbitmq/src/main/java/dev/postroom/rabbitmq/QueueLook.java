package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out with which arguments a queue was declared. AMQP has no question for that, but a declaration that differs is
 * refused with the first argument that does and its value: so it is declared again and again, each time with one argument more,
 * until the broker agrees. Nothing is changed by that. It needs the permission to configure the queue; without it nothing is
 * known.
 */
final class QueueLook {
    private static final String TYPE = "x-queue-type";
    private static final String LIMIT = "x-delivery-limit";
    private static final String EXCHANGE = "x-dead-letter-exchange";
    /** More than there are arguments. */
    private static final int MOST_QUESTIONS = 25;

    private static final Pattern DIFFERS = Pattern.compile(
            ".*inequivalent arg '([a-z-]+)' for .*: received .* but current is"
                    + " (?:(none)|'([^']*)'|the value '([^']*)' of type '([a-z0-9]+)').*",
            Pattern.DOTALL);

    private QueueLook() {}

    /** @throws IOException when the connection is broken */
    static QueueTraits at(Connection connection, String queue) throws IOException {
        Map<String, Object> arguments = new HashMap<>(Map.of(TYPE, "quorum"));
        for (int i = 0; i < MOST_QUESTIONS; i++) {
            String refusal = refusal(connection, queue, arguments);
            if (refusal == null) {
                return new QueueTraits(
                        QueueTraits.Type.QUORUM,
                        arguments.get(LIMIT) instanceof Number limit ? limit.longValue() : null,
                        arguments.containsKey(EXCHANGE));
            }
            Matcher differs = DIFFERS.matcher(refusal);
            if (!differs.matches()) {
                return QueueTraits.UNKNOWN;
            }
            if (differs.group(1).equals(TYPE)) {
                return type(differs);
            }
            Object value = value(differs);
            if (value == null || arguments.put(differs.group(1), value) != null) {
                return QueueTraits.UNKNOWN;
            }
        }
        return QueueTraits.UNKNOWN;
    }

    /** Another one than quorum; none is what old versions say of a queue that was declared without. */
    private static QueueTraits type(Matcher differs) {
        String value = differs.group(3) == null ? differs.group(4) : differs.group(3);
        return "stream".equals(value) ? new QueueTraits(QueueTraits.Type.STREAM, null, false) : QueueTraits.CLASSIC;
    }

    private static @Nullable Object value(Matcher differs) {
        String value = differs.group(4);
        if (value == null) {
            return null; // it has none of what we gave it, or the value of an argument that we gave it differs
        }
        return switch (differs.group(5).toLowerCase(Locale.ROOT)) {
            case "longstr" -> value;
            case "bool" -> Boolean.valueOf(value);
            default -> number(value);
        };
    }

    private static @Nullable Object number(String value) {
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The broker's text, when it does not agree. */
    private static @Nullable String refusal(Connection connection, String queue, Map<String, Object> arguments)
            throws IOException {
        Channel channel = connection.createChannel();
        try {
            channel.queueDeclare(queue, true, false, false, arguments);
            channel.abort();
            return null;
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof AMQP.Channel.Close close) {
                return close.getReplyText();
            }
            throw e;
        }
    }
}
