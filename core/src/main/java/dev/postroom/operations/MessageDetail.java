package dev.postroom.operations;

import dev.postroom.FailureReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one message.
 *
 * @param payload as stored, cut off at the limit asked for; {@code payloadBytes} is its whole size
 * @param error the last error, whole
 * @param attempts its failed attempts, newest first, at most 100
 * @param facts what explains why it has not been sent; null once it left the live table
 */
@SuppressWarnings("ArrayRecordComponent") // a payload is handed through, never compared
public record MessageDetail(
        MessageItem item,
        int lane,
        String contentType,
        @Nullable String contentEncoding,
        Map<String, String> headers,
        byte[] payload,
        long payloadBytes,
        @Nullable String source,
        @Nullable String error,
        int crashes,
        List<String> completedDestinations,
        boolean released,
        List<Attempt> attempts,
        @Nullable DeliveryFacts facts) {

    /** Why it has not been sent, in plain sentences, the most important first; empty once it left the live table. */
    public List<String> whyNotSent() {
        return WhyNotSent.explain(this);
    }

    /** One failed attempt. */
    public record Attempt(
            int attempt,
            Instant at,
            FailureReason reason,
            String error,
            @Nullable String destination,
            @Nullable String node) {}
}
