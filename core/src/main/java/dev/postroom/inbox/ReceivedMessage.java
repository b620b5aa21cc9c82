package dev.postroom.inbox;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as it came from a broker.
 *
 * @param id what its sender keeps when it sends it again
 * @param type the logical event name, or null
 * @param source where it comes from, as CloudEvents mean it, or null
 * @param key what orders it (the CloudEvent's subject), or null
 * @param tenant empty when there is none
 * @param contentType of the payload, or null
 * @param headers the user's own, among them {@code traceparent} where there is a trace
 * @param payload never compressed here
 * @param attempt 1 for the first try
 */
@SuppressWarnings("ArrayRecordComponent") // a payload is handed through, never compared
public record ReceivedMessage(
        String id,
        @Nullable String type,
        @Nullable String source,
        @Nullable String key,
        String tenant,
        @Nullable String contentType,
        Map<String, String> headers,
        byte[] payload,
        int attempt) {

    public ReceivedMessage {
        headers = Map.copyOf(headers);
    }

    /** Without payload and headers, which may be secret. */
    @Override
    public String toString() {
        return "message " + id + " of type " + type + ", attempt " + attempt;
    }
}
