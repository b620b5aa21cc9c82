package dev.postroom.kafka;

import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.handler.PlainPayload;
import dev.postroom.inbox.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Reads a record, whoever sent it; what {@link KafkaRecords} writes in binary mode, this reads. */
final class ReceivedRecord {
    private static final String ATTRIBUTE = "ce_";
    private static final String CONTENT_TYPE = "content-type";
    private static final String CONTENT_ENCODING = "content-encoding";
    private static final String TRACE = "trace";

    private ReceivedRecord() {}

    /** @throws DeliveryFailedException with a permanent reason, when it has no id or cannot be decompressed */
    static ReceivedMessage of(ConsumerRecord<byte[], byte[]> record, int attempt) {
        Map<String, String> event = new HashMap<>();
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            if (header.value() == null) {
                continue;
            }
            if (header.key().startsWith(ATTRIBUTE)) {
                event.put(header.key().substring(ATTRIBUTE.length()), text(header.value()));
            } else if (!header.key().startsWith(DeadLetters.PREFIX)) {
                headers.put(header.key(), text(header.value()));
            }
        }
        String contentType = headers.remove(CONTENT_TYPE);
        String encoding = headers.remove(CONTENT_ENCODING);
        // A foreign sender may know the trace as attributes of the event only.
        event.forEach((name, value) -> {
            if (name.startsWith(TRACE)) {
                headers.putIfAbsent(name, value);
            }
        });
        return new ReceivedMessage(
                id(event.get("id"), contentType),
                event.get("type"),
                event.get("source"),
                record.key() == null ? event.get("subject") : text(record.key()),
                event.getOrDefault("tenantid", ""),
                contentType,
                headers,
                PlainPayload.of(encoding, record.value() == null ? new byte[0] : record.value()),
                attempt);
    }

    private static String id(@Nullable String id, @Nullable String contentType) {
        if (id == null) {
            throw new DeliveryFailedException(
                    FailureReason.VALIDATION_FAILURE,
                    "the record has no header ce_id, so nobody can tell whether it was handled (content type "
                            + contentType + "): send it as a CloudEvent in binary mode");
        }
        return id;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
