package dev.postroom.kafka;

import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.CloudEvents;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.JsonEnvelope;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A message as a record: its key orders it there too, the event's attributes and the user's headers are headers. */
final class KafkaRecord {
    private static final String CONTENT_TYPE = "content-type";
    private static final String CONTENT_ENCODING = "content-encoding";
    /** What the event says, a user's header must not say otherwise. */
    private static final Set<String> RESERVED = Set.of(CONTENT_TYPE, CONTENT_ENCODING);

    private KafkaRecord() {}

    /** @throws dev.postroom.handler.DeliveryFailedException with a permanent reason, when it cannot be a CloudEvent */
    static ProducerRecord<byte[], byte[]> of(Delivery delivery, String topic, ContentMode mode) {
        String key = delivery.key();
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record =
                mode == ContentMode.BINARY ? binary(delivery, topic, keyBytes) : structured(delivery, topic, keyBytes);
        delivery.headers().forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!RESERVED.contains(lower) && !lower.startsWith("ce_")) {
                add(record, name, value);
            }
        });
        return record;
    }

    private static ProducerRecord<byte[], byte[]> binary(Delivery delivery, String topic, byte @Nullable [] key) {
        ProducerRecord<byte[], byte[]> record =
                KafkaMessageFactory.<byte[]>createWriter(topic, key).writeBinary(CloudEvents.of(delivery));
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
