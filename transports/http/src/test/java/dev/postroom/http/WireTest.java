package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.http.Receiver.Request;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.message.MessageReader;
import io.cloudevents.http.HttpMessageFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R56")
class WireTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private Receiver receiver;
    private Webhook webhook;

    @BeforeEach
    void start() throws Exception {
        receiver = Receiver.start();
        webhook = Webhook.to(receiver.url() + "?token=1").allowPrivateAddresses();
    }

    @AfterEach
    void stop() {
        webhook.close();
        receiver.close();
    }

    private Request received(Delivery delivery) {
        assertThat(Sending.of(webhook, delivery).outcome()).isEqualTo(Outcome.confirmed());
        return receiver.requests().get(receiver.requests().size() - 1);
    }

    private static CloudEvent read(Request request) {
        MessageReader reader = HttpMessageFactory.createReaderFromMultimap(request.headers(), request.body());
        return reader.toEvent();
    }

    @Test
    void is_one_post_that_the_official_sdk_reads() {
        Delivery delivery = Sending.delivery("{\"id\":7}");
        Request request = received(delivery);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/hooks?token=1");
        assertThat(request.header("Content-type")).isEqualTo("application/json");
        assertThat(request.header("Content-length")).isEqualTo("8");
        assertThat(request.header("Host")).isEqualTo("127.0.0.1:" + receiver.port());

        CloudEvent event = read(request);
        assertThat(event.getId()).isEqualTo(delivery.id().toString());
        assertThat(event.getSource()).hasToString("/shop");
        assertThat(event.getType()).isEqualTo("OrderCreated");
        assertThat(event.getSubject()).isEqualTo("order-1");
        assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2026-02-03T04:05:06.789Z"));
        assertThat(event.getExtension("tenantid")).isEqualTo("acme");
        assertThat(Objects.requireNonNull(event.getData()).toBytes()).asString().isEqualTo("{\"id\":7}");
    }

    @Test
    void structured_mode_is_one_json_document() {
        webhook = webhook.contentMode(ContentMode.STRUCTURED);
        Delivery delivery = Sending.delivery(Map.of("x-user", "me"), "{\"id\":7}", LEASE);
        Request request = received(delivery);
        assertThat(request.header("Content-type")).startsWith("application/cloudevents+json");
        assertThat(request.header("Ce-id")).isNull();
        assertThat(request.header("X-user")).isEqualTo("me");
        CloudEvent event = read(request);
        assertThat(event.getId()).isEqualTo(delivery.id().toString());
        assertThat(Objects.requireNonNull(event.getData()).toBytes()).asString().isEqualTo("{\"id\":7}");
    }

    @Test
    void attributes_are_percent_encoded() {
        Content content =
                new Content("Größe \"100%\"", "text/plain", null, Map.of(), "x".getBytes(StandardCharsets.UTF_8), null);
        Request request = received(Sending.delivery(content, LEASE));
        assertThat(request.header("Ce-type")).isEqualTo("Gr%C3%B6%C3%9Fe%20%22100%25%22");
        assertThat(URLDecoder.decode(request.header("Ce-type"), StandardCharsets.UTF_8))
                .isEqualTo("Größe \"100%\"");
    }

    @Test
    @Tag("R11")
    void a_compressed_payload_is_decompressed_in_every_mode() {
        SampleDelivery sample = SampleDelivery.to("orders").json(40 << 10);
        byte[] plain = Objects.requireNonNull(sample.content().payload());
        Request request = received(sample.compressed().build());
        assertThat(request.header("Content-encoding")).isNull();
        assertThat(request.header("Content-type")).isEqualTo("application/json");
        assertThat(request.header("Content-length")).isEqualTo(Integer.toString(plain.length));
        assertThat(request.body()).isEqualTo(plain);

        webhook = webhook.contentMode(ContentMode.STRUCTURED);
        Request structured = received(sample.compressed().build());
        assertThat(structured.header("Content-encoding")).isNull();
        assertThat(Objects.requireNonNull(read(structured).getData()).toBytes()).isEqualTo(plain);
    }

    @Test
    @Tag("R11")
    void a_compressed_payload_stays_so_where_that_is_asked_for() {
        webhook = webhook.compression(Compression.KEEP);
        Delivery delivery =
                SampleDelivery.to("orders").json(40 << 10).compressed().build();
        Request request = received(delivery);
        assertThat(request.header("Content-encoding")).isEqualTo("gzip");
        assertThat(request.header("Content-type")).isEqualTo("application/json");
        assertThat(request.body()).isEqualTo(delivery.payload());
        assertThat(received(Sending.delivery("{}")).header("Content-encoding")).isNull();
    }

    @Test
    void a_json_document_has_no_place_for_a_compressed_payload() {
        assertThatThrownBy(() -> webhook.contentMode(ContentMode.STRUCTURED).compression(Compression.KEEP))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("compression = keep")
                .hasMessageContaining("content-mode = structured");
    }

    @Test
    void an_empty_payload_is_an_empty_body() {
        Request request = received(Sending.delivery(""));
        assertThat(request.body()).isEmpty();
        assertThat(request.header("Ce-specversion")).isEqualTo("1.0");
    }

    @Nested
    class Headers {
        @Test
        void of_the_user_go_as_they_are() {
            Request request = received(Sending.delivery(
                    Map.of(
                            "X-Region",
                            "eu 1",
                            "traceparent",
                            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
                    "{}",
                    LEASE));
            assertThat(request.header("X-region")).isEqualTo("eu 1");
            assertThat(request.header("Traceparent")).startsWith("00-0af7");
        }

        @Test
        void beyond_ascii_go_as_utf8() {
            Request request = received(Sending.delivery(Map.of("x-name", "Zoë"), "{}", LEASE));
            String bytes = request.header("X-name");
            assertThat(new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                    .isEqualTo("Zoë");
        }

        @Test
        void that_are_not_the_messages_to_say_are_left_out() {
            Request request = received(Sending.delivery(
                    Map.of(
                            "Host", "evil.example",
                            "transfer-encoding", "chunked",
                            "Content-Length", "1",
                            "ce-id", "forged",
                            "Webhook-Id", "forged",
                            "webhook-signature", "v1,forged",
                            "Content-Type", "text/forged",
                            "connection", "close"),
                    "{}",
                    LEASE));
            assertThat(request.header("Host")).startsWith("127.0.0.1");
            assertThat(request.headers().values().toString()).doesNotContain("forged", "evil", "chunked", "close");
        }

        /** WSGI and CGI receivers read these under the same name as ours: HTTP_CE_ID = 'ours,forged'. */
        @Test
        @Tag("R57")
        void that_would_be_read_as_ours_are_left_out() {
            Request request = received(Sending.delivery(
                    Map.of(
                            "ce_id", "forged",
                            "CE_Type", "forged",
                            "ce.source", "forged",
                            "webhook_id", "forged",
                            "Webhook_Signature", "v1,forged",
                            "content_type", "forged",
                            "Proxy", "http://forged.example",
                            "ceremony_id", "the user's",
                            "my_ce_id", "the user's too"),
                    "{}",
                    LEASE));
            assertThat(request.headers().values().toString()).doesNotContain("forged");
            assertThat(request.header("Ceremony_id")).isEqualTo("the user's");
            assertThat(request.header("My_ce_id")).isEqualTo("the user's too");
        }

        @ParameterizedTest
        @ValueSource(strings = {"a b", "a:b", "größe", "a\r\nb", "a\nb"})
        void with_names_that_http_has_not_are_refused_for_good(String name) {
            Outcome.Failed failed = Sending.of(webhook, Sending.delivery(Map.of(name, "v"), "{}", LEASE))
                    .failure();
            assertThat(failed.reason()).isEqualTo(FailureReason.VALIDATION_FAILURE);
            assertThat(receiver.requests()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"a\r\nevil: 1", "a\nb", "a\rb", "a\u0000b", "a\u007f"})
        void that_would_forge_others_are_refused_for_good(String value) {
            Outcome.Failed failed = Sending.of(webhook, Sending.delivery(Map.of("x-user", value), "{}", LEASE))
                    .failure();
            assertThat(failed.reason()).isEqualTo(FailureReason.VALIDATION_FAILURE);
            assertThat(failed.error()).contains("x-user", "U+");
            assertThat(receiver.requests()).isEmpty();
        }
    }
}
