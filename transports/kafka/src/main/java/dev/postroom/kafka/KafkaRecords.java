package dev.postroom.kafka;

import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.AttributeNames;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.EventAttributes;
import dev.postroom.transport.cloudevents.JsonEnvelope;
import dev.postroom.transport.cloudevents.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Makes records of messages: the key orders them there too, the event's attributes and the user's headers are headers. */
final class KafkaRecords {
    /** Of the attributes' headers, as the CloudEvents binding for Kafka has it. */
    private static final String PREFIX = "ce_";

    private static final AttributeNames NAMES = new AttributeNames(PREFIX);
    private static final String CONTENT_TYPE = "content-type";
    private static final String CONTENT_ENCODING = "content-encoding";
    /** What the event says, a user's header must not say otherwise. */
    private static final Set<String> RESERVED = Set.of(CONTENT_TYPE, CONTENT_ENCODING);

    /** As brokers have it. Asked here, because whoever asks the broker learns it for a topic, and holds that. */
    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final WireFormat format;
    private final EventAttributes attributes = new EventAttributes();

    KafkaRecords(WireFormat format) {
        this.format = format;
    }

    /** Whether there can be a topic of this name at all. */
    static boolean isTopic(String name) {
        return TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    /** @throws dev.postroom.handler.DeliveryFailedException with a permanent reason, when it cannot be a CloudEvent */
    ProducerRecord<byte[], byte[]> of(Delivery stored, String topic) {
        Delivery delivery = format.apply(stored);
        String key = delivery.key();
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record = format.mode() == ContentMode.BINARY
                ? binary(delivery, topic, keyBytes)
                : structured(delivery, topic, keyBytes);
        delivery.headers().forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!RESERVED.contains(lower) && !lower.startsWith(PREFIX)) {
                add(record, name, value);
            }
        });
        return record;
    }

    private ProducerRecord<byte[], byte[]> binary(Delivery delivery, String topic, byte @Nullable [] key) {
        byte[] payload = delivery.payload();
        // An event without data is a record without a value, as the binding has it; readers of JSON fail on an empty
        // one.
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, payload.length == 0 ? null : payload);
        attributes.write(delivery, (attribute, value) -> add(record, NAMES.of(attribute), value));
        add(record, CONTENT_TYPE, delivery.content().contentType());
        String encoding = delivery.content().contentEncoding();
        if (encoding != null) {
            add(record, CONTENT_ENCODING, encoding);
        }
        return record;
    }

    private static ProducerRecord<byte[], byte[]> structured(Delivery delivery, String topic, byte @Nullable [] key) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, JsonEnvelope.of(delivery));
        add(record, CONTENT_TYPE, JsonEnvelope.CONTENT_TYPE);
        return record;
    }

    private static void add(ProducerRecord<byte[], byte[]> record, String name, String value) {
        record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
