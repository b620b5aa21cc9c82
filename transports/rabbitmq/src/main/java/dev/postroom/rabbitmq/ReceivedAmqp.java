package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.handler.PlainPayload;
import dev.postroom.inbox.ReceivedMessage;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a message off the wire, whoever sent it; what {@link AmqpMessage} writes, this reads. */
final class ReceivedAmqp {
    private static final String TRACE = "trace";
    private static final Set<String> AS_IT_IS = Set.of("", "identity", "binary", "8bit");

    private ReceivedAmqp() {}

    /** @throws DeliveryFailedException with a permanent reason, when it has no id or cannot be decompressed */
    static ReceivedMessage of(Delivery delivery) {
        BasicProperties properties = delivery.getProperties();
        Map<String, String> event = new HashMap<>();
        Map<String, String> otherForm = new HashMap<>();
        Map<String, String> headers = new HashMap<>();
        headers(properties).forEach((name, value) -> {
            if (name.startsWith(AmqpMessage.PREFIX)) {
                event.put(name.substring(AmqpMessage.PREFIX.length()), String.valueOf(value));
            } else if (name.startsWith(AmqpMessage.OTHER_PREFIX)) {
                otherForm.put(name.substring(AmqpMessage.OTHER_PREFIX.length()), String.valueOf(value));
            } else if (!ReturnedAmqp.isOurs(name)) {
                headers.put(name, String.valueOf(value));
            }
        });
        otherForm.forEach(event::putIfAbsent);
        // A foreign sender may know the trace as attributes of the event only.
        event.forEach((name, value) -> {
            if (name.startsWith(TRACE)) {
                headers.putIfAbsent(name, value);
            }
        });
        return new ReceivedMessage(
                id(event.get("id"), properties.getMessageId()),
                event.getOrDefault("type", properties.getType()),
                event.get("source"),
                event.get("subject"),
                event.getOrDefault("tenantid", ""),
                properties.getContentType(),
                headers,
                PlainPayload.of(compression(properties.getContentEncoding()), delivery.getBody()),
                ReturnedAmqp.attempt(properties));
    }

    /** Many senders, Spring AMQP's converters among them, name a charset there, which leaves the bytes as they are. */
    private static @Nullable String compression(@Nullable String encoding) {
        return encoding == null || AS_IT_IS.contains(encoding.toLowerCase(Locale.ROOT)) || isCharset(encoding)
                ? null
                : encoding;
    }

    private static boolean isCharset(String name) {
        try {
            return Charset.isSupported(name);
        } catch (IllegalCharsetNameException e) {
            return false;
        }
    }

    static Map<String, Object> headers(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        return headers == null ? Map.of() : headers;
    }

    private static String id(@Nullable String ofEvent, @Nullable String ofMessage) {
        if (ofEvent != null) {
            return ofEvent;
        }
        if (ofMessage == null) {
            throw new DeliveryFailedException(
                    FailureReason.VALIDATION_FAILURE,
                    "the message has neither message_id nor cloudEvents:id, so nobody can tell whether it was handled");
        }
        return ofMessage;
    }
}
