package dev.postroom.spi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a row carries for its consumers.
 *
 * @param type the logical event name, or null for the topic
 * @param contentType media type of the payload before compression
 * @param contentEncoding {@code gzip}, or null
 * @param payload the bytes as stored; null when a read left them out because they exceed its limit
 * @param source as CloudEvents mean it, or null
 */
@SuppressWarnings("ArrayRecordComponent") // a payload is handed through, never compared
public record Content(
        @Nullable String type,
        String contentType,
        @Nullable String contentEncoding,
        Map<String, String> headers,
        byte @Nullable [] payload,
        @Nullable String source) {

    /** The same with these headers. */
    public Content headers(Map<String, String> newHeaders) {
        return new Content(type, contentType, contentEncoding, newHeaders, payload, source);
    }

    /** The same with this payload, encoded so. */
    public Content payload(@Nullable String newEncoding, byte[] newPayload) {
        return new Content(type, contentType, newEncoding, headers, newPayload, source);
    }
}
