package dev.postroom.transport.cloudevents;

import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Delivery;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.data.BytesCloudEventData;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Turns messages into CloudEvents. */
public final class CloudEvents {
    /** The source of messages whose writer gave none; a URI-reference, as the attribute has to be. */
    public static final String DEFAULT_SOURCE = "/postroom";

    /** The extension that names the tenant. */
    public static final String TENANT = "tenantid";

    private CloudEvents() {}

    /**
     * The event, with the payload as it is stored: the transport tells its content encoding.
     *
     * @throws DeliveryFailedException with a permanent reason, when the message cannot be a CloudEvent
     */
    public static CloudEvent of(Delivery delivery) {
        CloudEventBuilder event = CloudEventBuilder.v1()
                .withData(delivery.content().contentType(), BytesCloudEventData.wrap(delivery.payload()));
        new EventAttributes().write(delivery, (attribute, value) -> {
            switch (attribute) {
                case TENANTID, TRACEPARENT, TRACESTATE -> event.withExtension(attribute.label(), value);
                case SPECVERSION -> {} // the builder's own
                default -> event.withContextAttribute(attribute.label(), value);
            }
        });
        return event.build();
    }

    static URI source(@Nullable String given) {
        String source = given == null ? DEFAULT_SOURCE : required("source", given);
        try {
            return new URI(source);
        } catch (URISyntaxException e) {
            throw refused("source '" + source + "' is no URI-reference (" + e.getReason() + "): give one like /shop");
        }
    }

    static String required(String attribute, String value) {
        if (value.isEmpty()) {
            throw refused("the " + attribute + " of a CloudEvent must not be empty: give the message one");
        }
        return legal(attribute, value);
    }

    /** Our own outbox refuses these characters when a message is published; another writer may not. */
    static String legal(String attribute, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || (c >= 0x7f && c <= 0x9f)) {
                throw refused("the " + attribute + " contains the control character U+" + String.format("%04X", (int) c)
                        + ", which a CloudEvent cannot carry: remove it");
            }
            if (Character.isSurrogate(c)) {
                i = endOfPair(attribute, value, i);
            }
        }
        return value;
    }

    private static int endOfPair(String attribute, String value, int first) {
        int second = first + 1;
        if (second == value.length() || !Character.isSurrogatePair(value.charAt(first), value.charAt(second))) {
            throw refused(
                    "the " + attribute + " contains half a surrogate pair, which a CloudEvent cannot carry: remove it");
        }
        return second;
    }

    private static DeliveryFailedException refused(String why) {
        return new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, why);
    }
}
