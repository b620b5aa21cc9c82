package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.inbox.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R41")
class ReceivedRecordTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ReceivedMessage received(
            @Nullable String key, byte @Nullable [] value, Map<String, String> headers) {
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>("orders", 0, 7, key == null ? null : utf8(key), value);
        headers.forEach((name, text) -> record.headers().add(name, utf8(text)));
        record.headers().add("empty", null);
        return ReceivedRecord.of(record, 2);
    }

    @Test
    void attributes_of_the_event_are_known_and_the_record_orders_it() {
        ReceivedMessage message = received(
                "key",
                utf8("x"),
                Map.of(
                        "ce_id", "e1",
                        "ce_type", "OrderPlaced",
                        "ce_source", "/shop",
                        "ce_subject", "subject",
                        "ce_tenantid", "acme",
                        "content-type", "text/plain",
                        "shop", "north",
                        "postroom-attempts", "3"));
        assertThat(message.id()).isEqualTo("e1");
        assertThat(message.type()).isEqualTo("OrderPlaced");
        assertThat(message.source()).isEqualTo("/shop");
        assertThat(message.key()).isEqualTo("key");
        assertThat(message.tenant()).isEqualTo("acme");
        assertThat(message.contentType()).isEqualTo("text/plain");
        assertThat(message.headers())
                .as("a dead letter that was put back comes without what was written about it")
                .containsOnly(Map.entry("shop", "north"));
        assertThat(message.attempt()).isEqualTo(2);
    }

    @Test
    void what_a_foreign_sender_leaves_out_is_made_up_for() {
        ReceivedMessage message = received(
                null,
                null,
                Map.of(
                        "ce_id", "e1",
                        "ce_subject", "42",
                        "ce_traceparent", "00-a-b-01",
                        "ce_tracestate", "of the event",
                        "tracestate", "of the record"));
        assertThat(message.key()).isEqualTo("42");
        assertThat(message.tenant()).isEmpty();
        assertThat(message.payload()).isEmpty();
        assertThat(message.headers())
                .containsOnly(Map.entry("traceparent", "00-a-b-01"), Map.entry("tracestate", "of the record"));
    }
}
