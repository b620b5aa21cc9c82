package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.WireFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("R56")
class KafkaRecordsTest {
    private static final UUID ID = new UUID(1, 2);

    @ParameterizedTest
    @EnumSource(ContentMode.class)
    void headers_of_the_user_go_along_unless_they_would_speak_for_the_event(ContentMode mode) {
        Map<String, String> headers = Map.of(
                "ce_id", "forged",
                "CE_Type", "forged",
                "Content-Type", "forged",
                "content-encoding", "forged",
                "shop", "north");
        Content content =
                new Content("OrderPlaced", "text/plain", null, headers, "x".getBytes(StandardCharsets.UTF_8), "/shop");
        ProducerRecord<byte[], byte[]> record = new KafkaRecords(WireFormat.DEFAULT.mode(mode))
                .of(
                        new Delivery(ID, 7, new dev.postroom.Stream("", "orders", "42"), content, Instant.EPOCH, 1, 0),
                        "orders");
        List<String> values = new ArrayList<>();
        for (Header header : record.headers()) {
            values.add(header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8));
        }
        assertThat(values).contains("shop=north").noneMatch(header -> header.contains("forged"));
        if (mode == ContentMode.BINARY) {
            assertThat(values).contains("ce_id=" + ID, "ce_type=OrderPlaced", "content-type=text/plain");
        } else {
            assertThat(values).contains("content-type=application/cloudevents+json; charset=utf-8");
        }
        assertThat(record.key()).asString(StandardCharsets.UTF_8).isEqualTo("42");
        assertThat(record.topic()).isEqualTo("orders");
    }

    /** As the binding says; Spring's JsonDeserializer, like others, fails for ever on a value of no bytes. */
    @Test
    void an_event_without_data_is_a_record_without_value() {
        SampleDelivery empty = SampleDelivery.to("orders").payload(new byte[0]);
        assertThat(new KafkaRecords(WireFormat.DEFAULT)
                        .of(empty.build(), "orders")
                        .value())
                .isNull();
        assertThat(new KafkaRecords(WireFormat.DEFAULT.mode(ContentMode.STRUCTURED))
                        .of(empty.build(), "orders")
                        .value())
                .isNotEmpty();
    }

    @Test
    @Tag("R11")
    void a_compressed_payload_stays_so_where_that_is_asked_for_and_our_inbox_reads_both() {
        SampleDelivery sample = SampleDelivery.to("orders").json(40 << 10);
        for (Compression compression : Compression.values()) {
            ProducerRecord<byte[], byte[]> sent = new KafkaRecords(WireFormat.DEFAULT.compression(compression))
                    .of(sample.compressed().build(), "orders");
            Header encoding = sent.headers().lastHeader("content-encoding");
            assertThat(encoding == null ? null : new String(encoding.value(), StandardCharsets.UTF_8))
                    .isEqualTo(compression == Compression.KEEP ? "gzip" : null);
            ConsumerRecord<byte[], byte[]> received = new ConsumerRecord<>("orders", 0, 0, sent.key(), sent.value());
            sent.headers().forEach(header -> received.headers().add(header));
            assertThat(ReceivedRecord.of(received, 1).payload())
                    .isEqualTo(sample.content().payload());
        }
    }

    @Test
    @Tag("R60")
    void names_that_no_broker_takes_are_no_topics() {
        assertThat(Stream.of("orders", "a.b_c-d", "x".repeat(249))).allMatch(KafkaRecords::isTopic);
        assertThat(Stream.of("", ".", "..", "a b", "a\nb", "\u202ea", "\u00fc", "x".repeat(250)))
                .noneMatch(KafkaRecords::isTopic);
    }
}
