package dev.postroom.transport.cloudevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import io.cloudevents.CloudEvent;
import io.cloudevents.jackson.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R56")
class CloudEventsTest {
    private static final UUID ID = UUID.fromString("0190a1b2-0000-7000-8000-000000000001");
    private static final Stream STREAM = new Stream("acme", "orders.created", "order-1");
    private static final Map<String, String> HEADERS = Map.of(
            "Any Name",
            "v",
            "traceparent",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "tracestate",
            "vendor=1");

    private static Delivery delivery(Stream stream, Content content) {
        return new Delivery(ID, 7, stream, content, Instant.parse("2026-02-03T04:05:06.789Z"), 1, 0);
    }

    private static Delivery json(String payload) {
        return delivery(STREAM, content("application/json", payload.getBytes(StandardCharsets.UTF_8)));
    }

    private static Content content(String contentType, byte[] payload) {
        return new Content("OrderCreated", contentType, null, HEADERS, payload, "/shop");
    }

    @Nested
    class binary {

        @Test
        void attributes_are_those_of_the_message() {
            CloudEvent event = CloudEvents.of(json("{}"));

            assertThat(event.getId()).isEqualTo(ID.toString());
            assertThat(event.getSource()).isEqualTo(URI.create("/shop"));
            assertThat(event.getType()).isEqualTo("OrderCreated");
            assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2026-02-03T04:05:06.789Z"));
            assertThat(event.getSubject()).isEqualTo("order-1");
            assertThat(event.getDataContentType()).isEqualTo("application/json");
            assertThat(event.getExtension("tenantid")).isEqualTo("acme");
            assertThat(event.getExtension("traceparent")).isEqualTo(HEADERS.get("traceparent"));
            assertThat(event.getExtension("tracestate")).isEqualTo("vendor=1");
            assertThat(event.getExtensionNames()).containsExactlyInAnyOrder("tenantid", "traceparent", "tracestate");
        }

        @Test
        void what_a_message_lacks_the_event_lacks() {
            Content content = new Content(null, "text/plain", null, Map.of(), new byte[0], null);
            CloudEvent event = CloudEvents.of(delivery(new Stream("", "orders", null), content));

            assertThat(event.getSource()).isEqualTo(URI.create(CloudEvents.DEFAULT_SOURCE));
            assertThat(event.getType()).isEqualTo("orders");
            assertThat(event.getSubject()).isNull();
            assertThat(event.getExtensionNames()).isEmpty();
        }

        @Test
        void an_empty_key_is_no_subject() {
            assertThat(CloudEvents.of(delivery(new Stream("", "orders", ""), content("a/b", new byte[0])))
                            .getSubject())
                    .isNull();
        }

        @Test
        @Tag("R11")
        void a_compressed_payload_stays_compressed() throws IOException {
            byte[] compressed = gzip("{}");
            Content content = new Content(null, "application/json", "gzip", Map.of(), compressed, null);
            assertThat(CloudEvents.of(delivery(STREAM, content)).getData().toBytes())
                    .isEqualTo(compressed);
        }

        @Test
        @Tag("R53")
        void the_trace_is_found_whatever_the_case_of_its_headers() {
            Content content = new Content(
                    null,
                    "a/b",
                    null,
                    Map.of("TraceParent", HEADERS.get("traceparent"), "TRACESTATE", "a=1"),
                    new byte[0],
                    null);
            CloudEvent event = CloudEvents.of(delivery(STREAM, content));
            assertThat(event.getExtension("traceparent")).isEqualTo(HEADERS.get("traceparent"));
            assertThat(event.getExtension("tracestate")).isEqualTo("a=1");
        }

        @ParameterizedTest
        @ValueSource(strings = {"not a uri", "http://[", "", "a\nb"})
        @Tag("R25")
        void a_source_that_is_no_uri_reference_is_the_end_of_the_message(String source) {
            Content content = new Content(null, "a/b", null, Map.of(), new byte[0], source);
            refuses(delivery(STREAM, content), "source");
        }

        @Test
        @Tag("R25")
        void control_characters_are_the_end_of_the_message() {
            refuses(delivery(new Stream("", "orders", "a\r\nb"), content("a/b", new byte[0])), "subject");
            refuses(delivery(new Stream("\u0085", "orders", "a"), content("a/b", new byte[0])), "tenantid");
            refuses(delivery(STREAM, content("a/b\0", new byte[0])), "datacontenttype");
        }

        private static void refuses(Delivery delivery, String attribute) {
            assertThatThrownBy(() -> CloudEvents.of(delivery))
                    .isInstanceOfSatisfying(
                            DeliveryFailedException.class,
                            e -> assertThat(e.reason()).isEqualTo(FailureReason.VALIDATION_FAILURE))
                    .hasMessageContaining(attribute);
        }
    }

    @Nested
    class structured {
        private final JsonFormat format = new JsonFormat();

        @Test
        void the_official_reader_reads_it() {
            CloudEvent event = format.deserialize(JsonEnvelope.of(json("{\"text\": \"ü\\n\"}")));

            assertThat(event.getId()).isEqualTo(ID.toString());
            assertThat(event.getSource()).isEqualTo(URI.create("/shop"));
            assertThat(event.getType()).isEqualTo("OrderCreated");
            assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2026-02-03T04:05:06.789Z"));
            assertThat(event.getSubject()).isEqualTo("order-1");
            assertThat(event.getExtension("tenantid")).isEqualTo("acme");
            assertThat(event.getDataContentType()).isEqualTo("application/json");
            assertThat(text(event)).isEqualTo("{\"text\":\"ü\\n\"}");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"application/json", "text/json", "Application/JSON; charset=utf-8", "application/vnd.a+json"
                })
        void json_is_put_in_as_it_is(String contentType) {
            byte[] payload = "{\"price\": 1.00}".getBytes(StandardCharsets.UTF_8);
            byte[] body = JsonEnvelope.of(delivery(STREAM, content(contentType, payload)));
            assertThat(new String(body, StandardCharsets.UTF_8)).contains("\"data\":{\"price\": 1.00}");
        }

        @Test
        void other_content_is_base64() {
            byte[] bytes = {0, -1, 34};
            CloudEvent event = format.deserialize(JsonEnvelope.of(delivery(STREAM, content("image/png", bytes))));
            assertThat(event.getData().toBytes()).isEqualTo(bytes);
        }

        @ParameterizedTest
        @ValueSource(strings = {"{", "1, \"id\": \"forged\"", "{} {}", "\"a", "{\"a\":[1,}"})
        void what_only_claims_to_be_json_neither_breaks_nor_forges_the_event(String payload) {
            CloudEvent event = format.deserialize(JsonEnvelope.of(json(payload)));
            assertThat(event.getId()).isEqualTo(ID.toString());
            assertThat(text(event)).isEqualTo(payload);
        }

        @ParameterizedTest
        @ValueSource(strings = {"application/json", "application/octet-stream"})
        void an_empty_payload_is_an_event_without_data(String contentType) {
            byte[] body = JsonEnvelope.of(delivery(STREAM, content(contentType, new byte[0])));
            assertThat(new String(body, StandardCharsets.UTF_8)).doesNotContain("\"data\"", "data_base64");
            CloudEvent event = format.deserialize(body);
            assertThat(event.getData()).isNull();
            assertThat(event.getDataContentType()).isEqualTo(contentType);
        }

        /** The JavaScript SDK compares the whole content type with its own, which is in lower case. */
        @Test
        void its_content_type_is_in_lower_case() {
            assertThat(JsonEnvelope.CONTENT_TYPE).isEqualTo("application/cloudevents+json; charset=utf-8");
        }

        @Test
        void json_in_another_charset_is_base64() {
            byte[] latin = "\"ü\"".getBytes(StandardCharsets.ISO_8859_1);
            CloudEvent event =
                    format.deserialize(JsonEnvelope.of(delivery(STREAM, content("application/vnd.a+json", latin))));
            assertThat(event.getData().toBytes()).isEqualTo(latin);
        }

        @Test
        @Tag("R11")
        void a_compressed_payload_is_decompressed_because_no_reader_could() throws IOException {
            Content content = new Content(null, "application/json", "gzip", Map.of(), gzip("[1]"), null);
            CloudEvent event = format.deserialize(JsonEnvelope.of(delivery(STREAM, content)));
            assertThat(text(event)).isEqualTo("[1]");
        }

        @Test
        @Tag("R25")
        void a_payload_that_cannot_be_decompressed_is_the_end_of_the_message() {
            Content content = new Content(null, "application/json", "gzip", Map.of(), new byte[] {1}, null);
            assertThatThrownBy(() -> JsonEnvelope.of(delivery(STREAM, content)))
                    .isInstanceOfSatisfying(
                            DeliveryFailedException.class,
                            e -> assertThat(e.reason()).isEqualTo(FailureReason.SERIALIZATION));
        }

        private static String text(CloudEvent event) {
            return new String(event.getData().toBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
