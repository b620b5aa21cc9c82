package dev.postroom.outbox;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.spi.Content;
import dev.postroom.spi.NewMessage;
import dev.postroom.spi.Tracing;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds the headers of the caller's trace to a message. Thread-safe. */
final class TraceHeaders {
    private static final String PARENT = "traceparent";

    private final Tracing tracing;
    private final LimitCheck limits;

    TraceHeaders(Tracing tracing, LimitCheck limits) {
        this.tracing = tracing;
        this.limits = limits;
    }

    /** A trace that the caller gave is the trace; and one that does not fit any more is left out, not a reason to refuse. */
    NewMessage in(Message message, NewMessage encoded) {
        if (tracing == Tracing.NONE || message.headers().keySet().stream().anyMatch(PARENT::equalsIgnoreCase)) {
            return encoded;
        }
        Map<String, String> headers = new LinkedHashMap<>(tracing.publishing(message));
        if (headers.isEmpty()) {
            return encoded;
        }
        headers.putAll(message.headers());
        try {
            limits.headers(headers, message.topic());
        } catch (MessageRejectedException e) {
            return encoded;
        }
        Content content = encoded.content();
        Content traced = new Content(
                content.type(),
                content.contentType(),
                content.contentEncoding(),
                headers,
                content.payload(),
                content.source());
        return new NewMessage(
                encoded.id(), encoded.idWindow(), encoded.stream(), traced, encoded.deliveryTime(), encoded.dedup());
    }
}
