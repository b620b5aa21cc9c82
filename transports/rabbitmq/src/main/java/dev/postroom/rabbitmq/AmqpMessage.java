package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.AttributeNames;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.EventAttributes;
import dev.postroom.transport.cloudevents.JsonEnvelope;
import dev.postroom.transport.cloudevents.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A message as it goes over the wire.
 *
 * <p>All that AMQP cannot carry is refused here. The client library notices it too, but only after it has counted the
 * message, and from then on each confirmation would be taken for another message's.
 */
@SuppressWarnings("ArrayRecordComponent") // a body is handed through, never compared
record AmqpMessage(String routingKey, BasicProperties properties, byte[] body) {
    /** Of the attributes' headers, as the CloudEvents binding for AMQP has it. */
    static final String PREFIX = "cloudEvents:";
    /** The binding's other form, which readers take for the same. */
    static final String OTHER_PREFIX = "cloudEvents_";

    private static final AttributeNames NAMES = new AttributeNames(PREFIX);
    private static final EventAttributes ATTRIBUTES = new EventAttributes();

    private static final int PERSISTENT = 2;
    private static final int SHORT_STRING = 255;
    private static final int FRAME_OVERHEAD = 2_048;
    private static final int FIELD_OVERHEAD = 6;
    /** RabbitMQ takes these for lists of more routing keys, and closes the channel when they are not. */
    private static final Set<String> ROUTING_HEADERS = Set.of("CC", "BCC");

    /**
     * @param frameBytes of the largest frame, which all headers must fit in; 0 for no limit
     * @throws DeliveryFailedException with a permanent reason, when AMQP cannot carry it
     */
    static AmqpMessage of(Delivery stored, String routingKey, WireFormat format, int frameBytes) {
        Delivery delivery = format.apply(stored);
        Map<String, Object> headers = new HashMap<>();
        delivery.headers().forEach((name, value) -> headers.put(userHeader(name), value));
        BasicProperties.Builder properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .messageId(delivery.id().toString())
                .type(shortString("type", delivery.type()))
                .timestamp(Date.from(delivery.createdAt()))
                .headers(headers);
        byte[] body;
        if (format.mode() == ContentMode.STRUCTURED) {
            properties.contentType(JsonEnvelope.CONTENT_TYPE);
            body = JsonEnvelope.of(delivery);
        } else {
            String encoding = delivery.content().contentEncoding();
            if (encoding != null) {
                properties.contentEncoding(shortString("content encoding", encoding));
            }
            properties.contentType(
                    shortString("content type", delivery.content().contentType()));
            ATTRIBUTES.write(delivery, (attribute, value) -> headers.put(NAMES.of(attribute), value));
            body = delivery.payload();
        }
        requireFrame(headers, frameBytes);
        return new AmqpMessage(shortString("routing key", routingKey), properties.build(), body);
    }

    private static String userHeader(String name) {
        for (String prefix : List.of(PREFIX, OTHER_PREFIX)) {
            if (name.startsWith(prefix)) {
                throw refused("header '" + name + "' begins with " + prefix
                        + ", which is for CloudEvents attributes: rename it");
            }
        }
        if (ROUTING_HEADERS.contains(name)) {
            throw refused("header '" + name + "' would be taken for a list of routing keys by RabbitMQ: rename it");
        }
        return shortString("header name", name);
    }

    private static String shortString(String what, String value) {
        if (value.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
            throw refused("the " + what + " contains half a surrogate pair, which AMQP cannot carry: remove it");
        }
        if (utf8Length(value) > SHORT_STRING) {
            throw refused("the " + what + " '" + value.substring(0, 32) + "…' has more than " + SHORT_STRING
                    + " bytes as UTF-8, which AMQP cannot carry: shorten it");
        }
        return value;
    }

    private static void requireFrame(Map<String, Object> headers, int frameBytes) {
        long bytes = FRAME_OVERHEAD;
        for (Map.Entry<String, Object> header : headers.entrySet()) {
            bytes += FIELD_OVERHEAD
                    + utf8Length(header.getKey())
                    + utf8Length(header.getValue().toString());
        }
        if (frameBytes > 0 && bytes > frameBytes) {
            throw refused("the headers have " + (bytes - FRAME_OVERHEAD) + " bytes, and RabbitMQ takes "
                    + (frameBytes - FRAME_OVERHEAD) + " at most: send less, or raise the broker's frame_max");
        }
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static DeliveryFailedException refused(String why) {
        return new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, why);
    }
}
