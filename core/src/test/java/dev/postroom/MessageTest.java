package dev.postroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R9")
class MessageTest {

    @Test
    void is_never_changed_by_what_is_derived_from_it() {
        Message template = Message.to("orders").header("a", "1");
        Message derived = template.key("42")
                .tenant("acme")
                .type("OrderCreated")
                .header("b", "2")
                .deliverAfter(Duration.ofMinutes(1))
                .idempotencyKey("k")
                .source("/shop");
        assertThat(template.stream()).isEqualTo(new Stream("", "orders", null));
        assertThat(template.headers()).isEqualTo(Map.of("a", "1"));
        assertThat(template.deliveryTime()).isEqualTo(new DeliveryTime.Now());
        assertThat(derived.stream()).isEqualTo(new Stream("acme", "orders", "42"));
        assertThat(derived.headers()).isEqualTo(Map.of("a", "1", "b", "2"));
        assertThat(template.id()).isNull();
        UUID mine = UUID.randomUUID();
        assertThat(derived.id(mine).key("43").id()).isEqualTo(mine);
        assertThat(derived.id()).isNull();
    }

    @Test
    void keeps_its_own_copy_of_the_headers() {
        Map<String, String> mine = new HashMap<>(Map.of("a", "1"));
        Message message = Message.to("orders").headers(mine);
        mine.put("b", "2");
        assertThat(message.headers()).isEqualTo(Map.of("a", "1"));
        assertThatThrownBy(() -> message.headers().put("c", "3")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void text_is_utf_8_whatever_the_default() {
        Payload payload = Message.to("orders").text("text/plain", "ğ€").payload();
        assertThat(payload)
                .isInstanceOfSatisfying(
                        Payload.Bytes.class,
                        bytes -> assertThat(bytes.bytes()).isEqualTo("ğ€".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shows_neither_payload_nor_headers_nor_idempotency_key_in_logs() {
        Message message = Message.to("orders")
                .key("42")
                .text("text/plain", "secret-payload")
                .header("authorization", "secret-header")
                .idempotencyKey("secret-key");
        assertThat(message.toString()).contains("orders", "42").doesNotContain("secret");
    }
}
