package dev.postroom.micrometer;

import dev.postroom.Message;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.TraceContext;
import dev.postroom.spi.Tracing;
import dev.postroom.spi.Transport;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Traces messages through Micrometer's observations, in OpenTelemetry's words for messaging: {@code create} where a message is
 * published, {@code send} for each attempt of the relay, {@code process} where a consumer handles it. The message carries the
 * context of its {@code create} from beginning to end, so all are in one trace. Thread-safe.
 *
 * <pre>{@code
 * Tracing tracing = ObservationTracing.on(observationRegistry);
 * Outbox outbox = Outbox.configure(dataSource).tracing(tracing).build();
 * Relay.on(dataSource).tracing(tracing)…;
 * Inbox inbox = Inbox.configure(dataSource).tracing(tracing).build();
 * }</pre>
 */
public final class ObservationTracing implements Tracing {
    /** What a context may be in: W3C's header, or one of B3's, if the application's propagator writes these. */
    private static final Set<String> CONTEXT = Set.of("traceparent", "b3", "x-b3-traceid");

    private final ObservationRegistry registry;

    private ObservationTracing(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** Traces to whatever the registry's handlers make of observations; nothing, as long as it has none. */
    public static Tracing on(ObservationRegistry registry) {
        return registry == ObservationRegistry.NOOP ? Tracing.NONE : new ObservationTracing(registry);
    }

    @Override
    public Map<String, String> publishing(Message message) {
        if (registry.isNoop()) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        MessagingObservation.of("create", sender(headers), registry)
                .system("postroom")
                .destination(message.topic())
                .message(String.valueOf(message.id()))
                .start()
                .stop();
        return headers;
    }

    @Override
    public Sending sending(Delivery delivery, String destination, Transport transport) {
        if (registry.isNoop()) {
            return new Untraced(delivery);
        }
        Map<String, String> added = new LinkedHashMap<>();
        boolean carriesContext =
                delivery.headers().keySet().stream().anyMatch(name -> CONTEXT.contains(name.toLowerCase(Locale.ROOT)));
        // Without a context of its own, as from a foreign writer, the message's trace begins here.
        Observation.Context context = carriesContext ? receiver(delivery.headers(), Kind.CLIENT) : sender(added);
        Observation observation = MessagingObservation.of("send", context, registry)
                .system(transport.system())
                .relayDestination(destination)
                .destination(delivery.topic())
                .message(delivery.id().toString())
                .attempt(delivery.attempt())
                .start();
        return new ObservedSending(added.isEmpty() ? delivery : with(added, delivery), observation);
    }

    @Override
    public Handling handling(Incoming message) {
        if (registry.isNoop()) {
            return Handling.NONE;
        }
        Observation observation = MessagingObservation.of(
                        "process", receiver(message.headers(), Kind.CONSUMER), registry)
                .system(message.system())
                .consumer(message.consumer())
                .destination(message.source())
                .message(message.id())
                .attempt(message.attempt())
                .start();
        return new ObservedHandling(observation, observation.openScope());
    }

    private static Observation.Context sender(Map<String, String> headers) {
        SenderContext<Map<String, String>> context = new SenderContext<>(
                (carrier, name, value) -> {
                    if (carrier != null) {
                        carrier.put(name, value);
                    }
                },
                Kind.PRODUCER);
        context.setCarrier(headers);
        return context;
    }

    private static Observation.Context receiver(Map<String, String> headers, Kind kind) {
        ReceiverContext<Map<String, String>> context = new ReceiverContext<>(TraceContext::find, kind);
        context.setCarrier(headers);
        return context;
    }

    private static Delivery with(Map<String, String> added, Delivery delivery) {
        Map<String, String> headers = new LinkedHashMap<>(added);
        headers.putAll(delivery.headers());
        return delivery.content(delivery.content().headers(headers));
    }
}
