package dev.postroom;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to be written to an {@link dev.postroom.outbox.Outbox}. Immutable: every method returns a new message, so one can
 * serve as a template, and one object may be published many times: each time it is another message with an id of its own,
 * which {@link Published} tells. Limits are checked when it is published, not here.
 *
 * <pre>{@code
 * Message.to("orders.created").key("42").json(order)
 * }</pre>
 *
 * @param id identifies the message everywhere, also to its consumers; null for one that is drawn when it is published
 * @param stream tenant, topic and key
 * @param type the logical event name; when null that of the payload's class ({@link MessageType}), or else the topic
 * @param payload what it carries
 * @param headers travel with it, in this order
 * @param deliveryTime when it may be delivered
 * @param idempotencyKey makes publishing it twice harmless, or null
 * @param source where it comes from, as CloudEvents mean it; the outbox's own when null
 */
public record Message(
        @Nullable UUID id,
        Stream stream,
        @Nullable String type,
        Payload payload,
        Map<String, String> headers,
        DeliveryTime deliveryTime,
        @Nullable String idempotencyKey,
        @Nullable String source) {

    public Message {
        Objects.requireNonNull(stream, "stream");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(deliveryTime, "deliveryTime");
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** A message to this topic, with an empty payload. */
    public static Message to(String topic) {
        Objects.requireNonNull(topic, "topic");
        Payload empty = new Payload.Bytes("application/octet-stream", new byte[0]);
        return new Message(
                null, new Stream("", topic, null), null, empty, Map.of(), new DeliveryTime.Now(), null, null);
    }

    /**
     * With an id of the caller's: written only if there is no message with this id yet, in whatever tenant. A second publish
     * changes nothing and says that it already existed. An id is remembered for the dedup window, and for as long as its
     * message waits or is in the archive. Null for one that is drawn when it is published.
     */
    public Message id(@Nullable UUID newId) {
        return new Message(newId, stream, type, payload, headers, deliveryTime, idempotencyKey, source);
    }

    /** Delivered in the order written among messages of the same tenant and key, whatever their topics. */
    public Message key(@Nullable String key) {
        return stream(new Stream(stream.tenant(), stream.topic(), key));
    }

    /** On behalf of this tenant. */
    public Message tenant(String tenant) {
        return stream(new Stream(Objects.requireNonNull(tenant, "tenant"), stream.topic(), stream.key()));
    }

    private Message stream(Stream newStream) {
        return new Message(id, newStream, type, payload, headers, deliveryTime, idempotencyKey, source);
    }

    /** With this logical event name, never a class name: classes are renamed, stored messages are not. */
    public Message type(@Nullable String newType) {
        return new Message(id, stream, newType, payload, headers, deliveryTime, idempotencyKey, source);
    }

    /**
     * Carrying the object as JSON, encoded at publish by the outbox's codec (module {@code postroom-json}). Its type is what
     * {@link MessageType} on the object's class says, unless {@link #type} says otherwise.
     */
    public Message json(Object value) {
        return payload(new Payload.Encodable(Objects.requireNonNull(value, "value")));
    }

    /** Carrying this text as UTF-8. */
    public Message text(String contentType, String text) {
        return bytes(contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Carrying these bytes; the array is not copied. */
    public Message bytes(String contentType, byte[] bytes) {
        return payload(new Payload.Bytes(
                Objects.requireNonNull(contentType, "contentType"), Objects.requireNonNull(bytes, "bytes")));
    }

    private Message payload(Payload newPayload) {
        return new Message(id, stream, type, newPayload, headers, deliveryTime, idempotencyKey, source);
    }

    /** With this header beside the others; a second value for a name replaces the first. */
    public Message header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return headers(more);
    }

    /** With exactly these headers. */
    public Message headers(Map<String, String> newHeaders) {
        return new Message(id, stream, type, payload, newHeaders, deliveryTime, idempotencyKey, source);
    }

    /** Delivered no earlier than at this instant. */
    public Message deliverAt(Instant instant) {
        return deliveryTime(new DeliveryTime.At(Objects.requireNonNull(instant, "instant")));
    }

    /** Delivered no earlier than this long after it was written, by the database's clock. */
    public Message deliverAfter(Duration delay) {
        return deliveryTime(new DeliveryTime.After(Objects.requireNonNull(delay, "delay")));
    }

    private Message deliveryTime(DeliveryTime newTime) {
        return new Message(id, stream, type, payload, headers, newTime, idempotencyKey, source);
    }

    /** Written only if no message of this tenant had this key within the dedup window. */
    public Message idempotencyKey(@Nullable String key) {
        return new Message(id, stream, type, payload, headers, deliveryTime, key, source);
    }

    /** Written only once per such key; see {@link IdempotencyKey#of}. */
    public Message idempotencyKey(IdempotencyKey key) {
        return idempotencyKey(key.toString());
    }

    /** Coming from this source, as CloudEvents mean it. */
    public Message source(@Nullable String newSource) {
        return new Message(id, stream, type, payload, headers, deliveryTime, idempotencyKey, newSource);
    }

    /** The topic, for short. */
    public String topic() {
        return stream.topic();
    }

    /** Names the message without showing its payload, headers or idempotency key. */
    @Override
    public String toString() {
        return "Message[id=" + id + ", tenant=" + stream.tenant() + ", topic=" + stream.topic() + ", key="
                + stream.key() + ", type=" + type + "]";
    }
}
