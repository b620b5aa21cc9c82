package dev.postroom.testkit;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.Stream;
import dev.postroom.handler.PlainPayload;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.Delivery;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a test sees it, in the outbox or at a destination.
 *
 * @param type the logical event name; the topic when its writer gave none
 * @param payload never compressed
 * @param status null at a destination
 * @param attempts how often it failed, in the outbox; which try this was, at a destination
 * @param reason of its last failure
 * @param error of its last failure
 */
@SuppressWarnings("ArrayRecordComponent") // a payload is handed through, never compared
public record ObservedMessage(
        UUID id,
        Stream stream,
        String type,
        String contentType,
        Map<String, String> headers,
        byte[] payload,
        @Nullable MessageStatus status,
        int attempts,
        @Nullable FailureReason reason,
        @Nullable String error) {
    private static final int LONGEST_TEXT = 200;

    static ObservedMessage of(Delivery delivery) {
        return new ObservedMessage(
                delivery.id(),
                delivery.stream(),
                delivery.type(),
                delivery.content().contentType(),
                delivery.headers(),
                PlainPayload.of(delivery).payload(),
                null,
                delivery.attempt(),
                null,
                null);
    }

    static ObservedMessage of(MessageDetail detail) {
        if (detail.payload().length < detail.payloadBytes()) {
            throw new PostroomException("the payload of message "
                    + detail.item().id() + " has " + detail.payloadBytes() + " bytes, too many to look at");
        }
        String type = detail.item().type();
        return new ObservedMessage(
                detail.item().id(),
                detail.item().stream(),
                type == null ? detail.item().stream().topic() : type,
                detail.contentType(),
                detail.headers(),
                PlainPayload.of(detail.contentEncoding(), detail.payload()),
                detail.item().status(),
                detail.item().attempts(),
                detail.item().reason(),
                detail.error());
    }

    /** The payload as text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** Everything that a test may have been wrong about, with the beginning of the payload: it is test data. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder("topic=" + stream.topic());
        add(line, "key", stream.key());
        add(line, "tenant", stream.tenant().isEmpty() ? null : stream.tenant());
        add(line, "type", type.equals(stream.topic()) ? null : type);
        add(line, "status", status == null ? null : status.label());
        add(line, "attempts", attempts == 0 ? null : attempts);
        add(line, "reason", reason);
        add(line, "error", error);
        add(line, "headers", headers.isEmpty() ? null : headers);
        String text = text();
        add(line, "payload", text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "…" : text);
        return line.toString();
    }

    private static void add(StringBuilder line, String name, @Nullable Object value) {
        if (value != null) {
            line.append(' ').append(name).append('=').append(value);
        }
    }
}
