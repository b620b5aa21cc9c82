package dev.postroom.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Envelope;
import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.WireFormat;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R25")
class AmqpMessageTest {
    private static final int FRAME = 131_072;

    private static AmqpMessage message(SampleDelivery sample) {
        return AmqpMessage.of(sample.build(), sample.stream().topic(), WireFormat.DEFAULT, FRAME);
    }

    private static void refuses(SampleDelivery sample, String text) {
        assertThatThrownBy(() -> message(sample))
                .isInstanceOfSatisfying(
                        DeliveryFailedException.class,
                        e -> assertThat(e.reason()).isEqualTo(FailureReason.VALIDATION_FAILURE))
                .hasMessageContaining(text);
    }

    @Test
    void what_amqp_calls_short_has_at_most_255_bytes_not_characters() {
        String longest = "ü".repeat(127) + "x";
        assertThatCode(() -> message(SampleDelivery.to(longest).type(longest).headers(Map.of(longest, "v"))))
                .doesNotThrowAnyException();
        refuses(SampleDelivery.to("ü".repeat(128)), "routing key");
        refuses(SampleDelivery.to("t").type("ü".repeat(128)), "type");
        refuses(SampleDelivery.to("t").headers(Map.of("ü".repeat(128), "v")), "header name");
    }

    @Test
    void headers_that_would_pass_for_attributes_or_routes_are_refused() {
        refuses(SampleDelivery.to("t").headers(Map.of("cloudEvents:id", "forged")), "cloudEvents:id");
        refuses(SampleDelivery.to("t").headers(Map.of("cloudEvents_id", "forged")), "cloudEvents_id");
        refuses(SampleDelivery.to("t").headers(Map.of("CC", "other")), "'CC'");
        refuses(SampleDelivery.to("t").headers(Map.of("BCC", "other")), "'BCC'");
    }

    @Test
    void headers_must_fit_into_one_frame() {
        refuses(SampleDelivery.to("t").headers(Map.of("h", "x".repeat(FRAME))), "headers have");
        assertThatCode(() -> message(SampleDelivery.to("t").headers(Map.of("h", "x".repeat(FRAME - 4_096)))))
                .doesNotThrowAnyException();
        assertThatCode(() -> AmqpMessage.of(
                        SampleDelivery.to("t")
                                .headers(Map.of("h", "x".repeat(FRAME)))
                                .build(),
                        "t",
                        WireFormat.DEFAULT,
                        0))
                .doesNotThrowAnyException();
    }

    @Test
    void what_the_user_calls_datacontenttype_is_the_property_only() {
        AmqpMessage message = message(SampleDelivery.to("t"));
        assertThat(message.properties().getContentType()).isEqualTo("text/plain");
        assertThat(message.properties().getHeaders()).doesNotContainKey("cloudEvents:datacontenttype");
    }

    @Test
    @Tag("R11")
    void a_compressed_payload_stays_so_where_that_is_asked_for_and_our_inbox_reads_both() {
        SampleDelivery sample = SampleDelivery.to("orders").json(40 << 10);
        for (Compression compression : Compression.values()) {
            AmqpMessage sent = AmqpMessage.of(
                    sample.compressed().build(), "orders", WireFormat.DEFAULT.compression(compression), FRAME);
            assertThat(sent.properties().getContentEncoding())
                    .isEqualTo(compression == Compression.KEEP ? "gzip" : null);
            com.rabbitmq.client.Delivery received = new com.rabbitmq.client.Delivery(
                    new Envelope(1, false, "", "orders"), sent.properties(), sent.body());
            assertThat(ReceivedAmqp.of(received).payload())
                    .isEqualTo(sample.content().payload());
        }
    }
}
