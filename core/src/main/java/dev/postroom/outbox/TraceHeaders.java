package dev.postroom.outbox;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.spi.NewMessage;
import dev.postroom.spi.TraceContext;
import dev.postroom.spi.Tracing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds the headers of the caller's trace to a message, and leaves out what is none. Thread-safe. */
final class TraceHeaders {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final Tracing tracing;
    private final LimitCheck limits;
    private final AtomicBoolean warned = new AtomicBoolean();

    TraceHeaders(Tracing tracing, LimitCheck limits) {
        this.tracing = tracing;
        this.limits = limits;
    }

    NewMessage in(Message message, NewMessage encoded) {
        Map<String, String> given = encoded.content().headers();
        Map<String, String> valid = TraceContext.validIn(given);
        if (valid.size() < given.size()) {
            warn(message);
        }
        Map<String, String> headers = traced(message, valid);
        if (headers == given) {
            return encoded;
        }
        return new NewMessage(
                encoded.id(),
                encoded.idWindow(),
                encoded.stream(),
                encoded.content().headers(headers),
                encoded.deliveryTime(),
                encoded.dedup());
    }

    /** A trace that the caller gave is the trace; and one that does not fit any more is left out, not a reason to refuse. */
    private Map<String, String> traced(Message message, Map<String, String> valid) {
        if (tracing == Tracing.NONE || TraceContext.find(valid, TraceContext.PARENT) != null) {
            return valid;
        }
        Map<String, String> headers = new LinkedHashMap<>(tracing.publishing(message));
        if (headers.isEmpty()) {
            return valid;
        }
        headers.putAll(valid);
        try {
            limits.headers(headers, message.topic());
            return headers;
        } catch (MessageRejectedException e) {
            return valid;
        }
    }

    /** Once: whoever sets it wrongly does so for every message. */
    private void warn(Message message) {
        String text =
                "left the trace context of a message to '{}' out, since its header traceparent is given twice or no"
                        + " W3C trace context such as 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01: correct it where"
                        + " the message is published";
        if (warned.compareAndSet(false, true)) {
            LOG.warn(text, message.topic());
        } else {
            LOG.debug(text, message.topic());
        }
    }
}
