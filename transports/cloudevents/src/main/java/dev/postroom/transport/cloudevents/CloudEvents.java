package dev.postroom.transport.cloudevents;

import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Delivery;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.data.BytesCloudEventData;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Turns messages into CloudEvents. */
public final class CloudEvents {
    /** The source of messages whose writer gave none; a URI-reference, as the attribute has to be. */
    public static final String DEFAULT_SOURCE = "/postroom";

    /** The extension that names the tenant. */
    public static final String TENANT = "tenantid";

    /** Headers that are attributes too, so that tracing works for whoever knows CloudEvents only. */
    private static final String[] TRACING = {"traceparent", "tracestate"};

    private CloudEvents() {}

    /**
     * The event, with the payload as it is stored: the transport tells its content encoding.
     *
     * @throws DeliveryFailedException with a permanent reason, when the message cannot be a CloudEvent
     */
    public static CloudEvent of(Delivery delivery) {
        CloudEventBuilder event = CloudEventBuilder.v1()
                .withId(delivery.id().toString())
                .withSource(source(delivery.content().source()))
                .withType(required("type", delivery.type()))
                .withTime(delivery.createdAt().atOffset(ZoneOffset.UTC))
                .withData(
                        legal("datacontenttype", delivery.content().contentType()),
                        BytesCloudEventData.wrap(delivery.payload()));
        String key = delivery.key();
        if (key != null && !key.isEmpty()) { // an empty subject is not allowed
            event.withSubject(legal("subject", key));
        }
        String tenant = delivery.stream().tenant();
        if (!tenant.isEmpty()) {
            event.withExtension(TENANT, legal(TENANT, tenant));
        }
        for (String name : TRACING) {
            String value = delivery.headers().get(name);
            if (value != null) {
                event.withExtension(name, legal(name, value));
            }
        }
        return event.build();
    }

    private static URI source(@Nullable String given) {
        String source = given == null ? DEFAULT_SOURCE : required("source", given);
        try {
            return new URI(source);
        } catch (URISyntaxException e) {
            throw refused("source '" + source + "' is no URI-reference (" + e.getReason() + "): give one like /shop");
        }
    }

    private static String required(String attribute, String value) {
        if (value.isEmpty()) {
            throw refused("the " + attribute + " of a CloudEvent must not be empty: give the message one");
        }
        return legal(attribute, value);
    }

    /** Our own outbox refuses these characters when a message is published; another writer may not. */
    private static String legal(String attribute, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || (c >= 0x7f && c <= 0x9f)) {
                throw refused("the " + attribute + " contains the control character U+" + String.format("%04X", (int) c)
                        + ", which a CloudEvent cannot carry: remove it");
            }
        }
        return value;
    }

    private static DeliveryFailedException refused(String why) {
        return new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, why);
    }
}
