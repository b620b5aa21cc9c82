package dev.postroom.http;

import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.AttributeNames;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.EventAttributes;
import dev.postroom.transport.cloudevents.JsonEnvelope;
import dev.postroom.transport.cloudevents.WireFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is put on the wire for a message. */
@SuppressWarnings("ArrayRecordComponent") // a body is handed through, never compared
record WebhookRequest(Map<String, String> headers, byte[] body) {
    private static final AttributeNames NAMES = new AttributeNames("ce-");
    private static final EventAttributes ATTRIBUTES = new EventAttributes();

    /**
     * @param now when it is sent, so that receivers can refuse what was recorded and is played again
     * @throws DeliveryFailedException with a permanent reason, when the message cannot be sent over HTTP
     */
    static WebhookRequest of(Delivery stored, WireFormat format, List<WebhookSecret> secrets, Instant now) {
        Delivery delivery = format.apply(stored);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(UserHeaders.of(delivery.headers()));
        byte[] body = format.mode() == ContentMode.BINARY ? binary(delivery, headers) : structured(delivery, headers);
        sign(delivery, body, secrets, now, headers);
        return new WebhookRequest(headers, body);
    }

    private static byte[] binary(Delivery delivery, Map<String, String> headers) {
        ATTRIBUTES.write(delivery, (attribute, value) -> headers.put(NAMES.of(attribute), AttributeText.encode(value)));
        headers.put("content-type", delivery.content().contentType());
        String encoding = delivery.content().contentEncoding();
        if (encoding != null) {
            UserHeaders.requireLegal("content encoding", encoding);
            headers.put("content-encoding", encoding);
        }
        return delivery.payload();
    }

    private static byte[] structured(Delivery delivery, Map<String, String> headers) {
        headers.put("content-type", JsonEnvelope.CONTENT_TYPE);
        return JsonEnvelope.of(delivery);
    }

    /** Standard Webhooks: the id tells repetitions, the time tells replays, one signature for each active secret. */
    private static void sign(
            Delivery delivery, byte[] body, List<WebhookSecret> secrets, Instant now, Map<String, String> headers) {
        String id = delivery.id().toString();
        String seconds = Long.toString(now.getEpochSecond());
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", seconds);
        if (!secrets.isEmpty()) {
            byte[] signed = (id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8);
            headers.put(
                    "webhook-signature",
                    secrets.stream().map(secret -> secret.sign(signed, body)).collect(Collectors.joining(" ")));
        }
    }
}
