package dev.postroom.transport.cloudevents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.postroom.handler.PlainPayload;
import dev.postroom.spi.Delivery;
import io.cloudevents.CloudEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * A message in structured mode: attributes and payload in one JSON document.
 *
 * <p>Written here with a JSON generator and not with the SDK's own format, because that one brings a data binding
 * library, and puts whatever claims to be JSON into the document unseen: a payload that is not would break the document,
 * or add attributes to it.
 */
public final class JsonEnvelope {
    /** What the body is; in lower case, since the JavaScript SDK takes the charset's name for another otherwise. */
    public static final String CONTENT_TYPE = "application/cloudevents+json; charset=utf-8";

    private static final JsonFactory JSON = new JsonFactory();
    private static final int ATTRIBUTES_SIZE = 512;

    private JsonEnvelope() {}

    /**
     * The body. A JSON payload is in it as JSON, any other as base64, an empty one not at all: such an event has no data.
     * Compressed ones were decompressed.
     *
     * @throws dev.postroom.handler.DeliveryFailedException with a permanent reason, when the message cannot be a
     *     CloudEvent
     */
    public static byte[] of(Delivery delivery) {
        Delivery plain = PlainPayload.of(delivery);
        CloudEvent event = CloudEvents.of(plain);
        byte[] payload = plain.payload();
        ByteArrayOutputStream body = new ByteArrayOutputStream(payload.length + ATTRIBUTES_SIZE);
        try (JsonGenerator json = JSON.createGenerator(body)) {
            json.writeStartObject();
            json.writeStringField("specversion", event.getSpecVersion().toString());
            for (String name : event.getAttributeNames()) {
                Object value = event.getAttribute(name);
                if (value != null && !name.equals("specversion")) {
                    json.writeStringField(name, value.toString());
                }
            }
            for (String name : event.getExtensionNames()) {
                json.writeStringField(
                        name, Objects.requireNonNull(event.getExtension(name)).toString());
            }
            writeData(json, plain.content().contentType(), payload);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return body.toByteArray();
    }

    private static void writeData(JsonGenerator json, String contentType, byte[] payload) throws IOException {
        if (payload.length == 0) {
            return;
        }
        String document = JsonData.documentIn(contentType, payload);
        if (document == null) {
            json.writeBinaryField("data_base64", payload);
        } else {
            json.writeFieldName("data");
            json.writeRawValue(document);
        }
    }
}
