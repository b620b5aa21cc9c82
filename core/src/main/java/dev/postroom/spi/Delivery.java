package dev.postroom.spi;

import dev.postroom.Stream;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way to one destination.
 *
 * @param seq its place in the order of the outbox
 * @param content what it carries; its payload is never null here
 * @param attempt 1 for the first try
 * @param deadlineNanos by {@link System#nanoTime()}, when it must have been put on the wire, see {@link Transport#send}
 */
public record Delivery(
        UUID id, long seq, Stream stream, Content content, Instant createdAt, int attempt, long deadlineNanos) {

    /** The same with this content. */
    public Delivery content(Content newContent) {
        return new Delivery(id, seq, stream, newContent, createdAt, attempt, deadlineNanos);
    }

    /** The topic that routed it here. */
    public String topic() {
        return stream.topic();
    }

    /** What orders it, or null. */
    public @Nullable String key() {
        return stream.key();
    }

    /** The logical event name; the topic when its writer gave none. */
    public String type() {
        String type = content.type();
        return type == null ? stream.topic() : type;
    }

    public Map<String, String> headers() {
        return content.headers();
    }

    /** The bytes as stored, see {@link Content#contentEncoding()}. */
    public byte[] payload() {
        byte[] payload = content.payload();
        if (payload == null) {
            throw new IllegalStateException("a message without its payload is never delivered");
        }
        return payload;
    }
}
