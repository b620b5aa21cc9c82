package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.PostroomException;
import dev.postroom.Published;
import dev.postroom.outbox.Limits;
import dev.postroom.outbox.Outbox;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits are checked in the caller's transaction, which goes on. */
@Tag("R10")
public abstract class LimitsContract extends StoreContract {

    @Test
    void payload_bytes() {
        refused(
                Message.to("orders").bytes("x/y", new byte[101]),
                Message.to("orders").bytes("x/y", new byte[100]),
                "101",
                "100",
                "postroom.limits.payload-bytes");
    }

    @Test
    @Tag("R11")
    void payload_bytes_before_compression_which_is_what_receivers_get() {
        Outbox outbox = store.configureOutbox()
                .limits(Limits.DEFAULT.payloadBytes(50_000))
                .compressionThreshold(1_000)
                .build();
        assertThatThrownBy(() ->
                        outbox.publishInOwnTransaction(Message.to("orders").bytes("x/y", new byte[50_001])))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("has 50001 bytes, the limit is 50000");
        assertThat(outbox.publishInOwnTransaction(Message.to("orders").bytes("x/y", new byte[50_000])))
                .isNotNull();
    }

    @Test
    void content_type_is_a_media_type() {
        for (String wrong : List.of(
                "json", "application/", "/json", "a b/c", "text/plain; charset", "text/plain, a/b", "*/*", "text/*")) {
            assertThatThrownBy(() -> publish(Message.to("orders").bytes(wrong, new byte[1])))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("content type '" + wrong + "' is no media type");
        }
        for (String right : List.of(
                "application/json",
                "application/vnd.shop.order+json; version=2",
                "text/plain;charset=\"utf-8\"; format=flowed;",
                "text/plain; about=*",
                "x/y")) {
            publish(Message.to("orders").bytes(right, new byte[1]));
        }
    }

    @Test
    void source_is_a_uri_reference() {
        for (String wrong : List.of("not a uri", "http://[", "a:", "%zz")) {
            assertThatThrownBy(() -> publish(Message.to("orders").source(wrong)))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("the source '" + wrong + "' is no URI-reference");
            assertThatThrownBy(() -> store.configureOutbox().source(wrong).build())
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("postroom.source");
        }
        publish(Message.to("orders").source("/shop/orders"));
        publish(Message.to("orders").source("https://example.com/shop?region=eu#1"));
        publish(Message.to("orders").source("urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66"));
    }

    @Test
    @Tag("R53")
    void a_trace_that_is_none_is_left_out_and_the_message_goes_on() {
        String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        Published wrong = publish(Message.to("orders")
                .header("TraceParent", "00-a-b-01")
                .header("Tracestate", "a=1")
                .header("shop", "north"));
        Published right =
                publish(Message.to("orders").header("TraceParent", parent).header("tracestate", "a=1"));
        assertThat(read(wrong).content().headers()).containsOnly(Map.entry("shop", "north"));
        assertThat(read(right).content().headers())
                .containsOnly(Map.entry("TraceParent", parent), Map.entry("tracestate", "a=1"));
    }

    @Test
    void number_of_headers() {
        refused(
                Message.to("orders").header("a", "1").header("b", "2").header("c", "3"),
                Message.to("orders").header("a", "1").header("b", "2"),
                "3",
                "2",
                "postroom.limits.headers");
    }

    @Test
    void bytes_of_headers() {
        refused(
                Message.to("orders").header("a", "\uD83D\uDE80".repeat(5)),
                Message.to("orders").header("a", "\uD83D\uDE80".repeat(4)),
                "21",
                "20",
                "postroom.limits.header-bytes");
    }

    @Test
    void topic_length() {
        refused(Message.to("t".repeat(41)), Message.to("t".repeat(40)), "41", "40", "postroom.limits.topic-length");
    }

    @Test
    void key_length() {
        refused(
                Message.to("orders").key("k".repeat(51)),
                Message.to("orders").key("k".repeat(50)),
                "51",
                "50",
                "postroom.limits.key-length");
    }

    @Test
    void lengths_that_the_table_fixes() {
        for (Message message : List.of(
                Message.to(""),
                Message.to("orders").tenant("t".repeat(129)),
                Message.to("orders").type("t".repeat(256)),
                Message.to("orders").source("t".repeat(256)),
                Message.to("orders").bytes("t".repeat(256), new byte[0]),
                Message.to("orders").idempotencyKey(""),
                Message.to("orders").idempotencyKey("t".repeat(256)))) {
            try (Tx tx = begin()) {
                assertThatThrownBy(() -> tx.publish(message)).isInstanceOf(MessageRejectedException.class);
            }
        }
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    void characters_that_cannot_travel() {
        for (String illegal : List.of("a\nb", "a\rb", "a\u0000b", "a\u001Bb", "a\u0085b", "a\uD83D", "\uDE80b")) {
            for (Message message : List.of(
                    Message.to(illegal),
                    Message.to("orders").tenant(illegal),
                    Message.to("orders").key(illegal),
                    Message.to("orders").type(illegal),
                    Message.to("orders").idempotencyKey(illegal),
                    Message.to("orders").header(illegal, "v"),
                    Message.to("orders").header("n", illegal))) {
                try (Tx tx = begin()) {
                    assertThatThrownBy(() -> tx.publish(message))
                            .isInstanceOf(MessageRejectedException.class)
                            .hasMessageContaining("U+");
                }
            }
        }
    }

    private void refused(Message tooMuch, Message justFits, String value, String limit, String setting) {
        Outbox outbox =
                store.configureOutbox().limits(new Limits(100, 2, 20, 40, 50)).build();
        Tx tx = begin().writeData(1);
        assertThatThrownBy(() -> outbox.publish(tx.connection(), tooMuch))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining(" " + value + " ")
                .hasMessageContaining(" " + limit)
                .hasMessageContaining(setting);
        Published published = outbox.publish(tx.connection(), justFits);
        tx.commit();

        assertThat(ids(reader().readAll())).containsExactly(published.id());
        assertThat(count("postroom_orders")).isEqualTo(1);
    }
}
