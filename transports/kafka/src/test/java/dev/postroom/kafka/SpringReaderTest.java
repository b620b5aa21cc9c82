package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.WireFormat;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.serializer.JsonDeserializer;

/** What a Spring application reads whose listeners have the JSON deserializer; a failure there stops a partition. */
@Tag("R56")
class SpringReaderTest {
    public record Note(String note) {}

    private static ProducerRecord<byte[], byte[]> sent(Compression compression) {
        return new KafkaRecords(WireFormat.DEFAULT.compression(compression))
                .of(SampleDelivery.to("orders").json(40 << 10).compressed().build(), "orders");
    }

    @Test
    @Tag("R11")
    void large_json_is_read_by_the_json_deserializer() {
        ProducerRecord<byte[], byte[]> record = sent(Compression.PLAIN);
        try (JsonDeserializer<Note> reader = new JsonDeserializer<>()) {
            reader.configure(Map.of(JsonDeserializer.VALUE_DEFAULT_TYPE, Note.class), false);
            assertThat(reader.deserialize("orders", record.headers(), record.value())
                            .note())
                    .hasSize(40 << 10)
                    .startsWith("all work ");
            ProducerRecord<byte[], byte[]> kept = sent(Compression.KEEP);
            assertThatThrownBy(() -> reader.deserialize("orders", kept.headers(), kept.value()))
                    .as("what it would say, for ever, if the payload went out as it is stored")
                    .isInstanceOf(SerializationException.class);
        }
    }
}
