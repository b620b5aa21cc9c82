package dev.postroom.transport.cloudevents;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.TraceContext;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a message's attributes as text, for protocols that carry each of them by itself. Without an event of the SDK in
 * between: to make one and to have it written took as long as giving the record to Kafka. Thread-safe.
 */
public final class EventAttributes {
    private static final String VERSION = "1.0";

    private final EventTime time = new EventTime();
    /** The last one that was found to be a URI: nearly all messages of an outbox have the same. Immutable, so a race is harmless. */
    private @Nullable String knownSource;

    /**
     * Tells each attribute that the message has.
     *
     * @throws dev.postroom.handler.DeliveryFailedException with a permanent reason, when the message cannot be a CloudEvent
     */
    public void write(Delivery delivery, BiConsumer<Attribute, String> sink) {
        sink.accept(Attribute.SPECVERSION, VERSION);
        sink.accept(Attribute.ID, delivery.id().toString());
        sink.accept(Attribute.SOURCE, source(delivery.content().source()));
        sink.accept(Attribute.TYPE, CloudEvents.required("type", delivery.type()));
        sink.accept(Attribute.TIME, time.text(delivery.createdAt()));
        String key = delivery.key();
        if (key != null && !key.isEmpty()) { // an empty subject is not allowed
            sink.accept(Attribute.SUBJECT, CloudEvents.legal("subject", key));
        }
        String tenant = delivery.stream().tenant();
        if (!tenant.isEmpty()) {
            sink.accept(Attribute.TENANTID, CloudEvents.legal(CloudEvents.TENANT, tenant));
        }
        if (!delivery.headers().isEmpty()) {
            tracing(delivery, Attribute.TRACEPARENT, sink);
            tracing(delivery, Attribute.TRACESTATE, sink);
        }
        CloudEvents.legal("datacontenttype", delivery.content().contentType());
    }

    /** A header that is an attribute too, so that tracing works for whoever knows CloudEvents only. */
    private static void tracing(Delivery delivery, Attribute attribute, BiConsumer<Attribute, String> sink) {
        String value = TraceContext.find(delivery.headers(), attribute.label());
        if (value != null) {
            sink.accept(attribute, CloudEvents.legal(attribute.label(), value));
        }
    }

    private String source(@Nullable String given) {
        if (given == null) {
            return CloudEvents.DEFAULT_SOURCE;
        }
        if (!given.equals(knownSource)) {
            CloudEvents.source(given);
            knownSource = given;
        }
        return given;
    }
}
