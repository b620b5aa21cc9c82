package dev.postroom.testkit;

import static dev.postroom.testkit.PostroomAssertions.assertThat;
import static dev.postroom.testkit.PostroomAssertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("R59")
@ExtendWith(PostroomExtension.class)
class MessagesAssertTest {
    record Line(String sku, double price) {}

    record Order(String id, List<Line> lines) {}

    private static final Order ORDER = new Order("42", List.of(new Line("A-1", 9.5), new Line("B-2", 3)));

    @BeforeEach
    void publish(Outbox outbox) {
        outbox.publishInOwnTransaction(
                Message.to("orders").key("42").tenant("acme").header("a", "b").json(ORDER));
        outbox.publishInOwnTransaction(Message.to("notes").text("text/plain", "x".repeat(40_000)));
    }

    private static void fails(org.assertj.core.api.ThrowableAssert.ThrowingCallable assertion, String... words) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessageContainingAll(words);
    }

    @Test
    void conditions_narrow_down_what_was_published(Outbox outbox) {
        assertThat(outbox)
                .published("orders")
                .withTenant("acme")
                .withType("orders")
                .withHeader("a", "b")
                .withoutHeader("c")
                .withPayload(ORDER)
                .withPayload(Order.class, order -> assertThat(order.lines()).hasSize(2))
                .withJson("lines[1].sku", "B-2")
                .withJson("lines[1].price", 3)
                .withJson("lines[7].sku", null)
                .satisfying(message -> assertThat(message.contentType()).isEqualTo("application/json"))
                .once();
        assertThat(outbox).publishedExactly(2).nothingPublished("invoices");
        assertThat(outbox).published().inOrderOfKeys("42", "null");
    }

    @Test
    void large_payloads_are_seen_as_they_were_before_compression(Outbox outbox) {
        assertThat(outbox).published("notes").withKey(null).withText("x".repeat(40_000));
    }

    @Test
    void what_fails_shows_what_was_there(Outbox outbox) {
        fails(() -> assertThat(outbox).published("order"), "to 'order'", "topic=orders key=42 tenant=acme", "{a=b}");
        fails(() -> assertThat(outbox).published("orders").withKey("7"), "to 'orders', key=7", "key=42");
        fails(() -> assertThat(outbox).published("orders").withHeader("a", "c"), "header a=c", "headers={a=b}");
        fails(() -> assertThat(outbox).nothingPublished(), "0 message(s)", "2 of these", "topic=notes", "xxx…");
        fails(() -> assertThat(outbox).nothingPublished("orders"), "nothing published to 'orders'", "key=42");
        fails(() -> assertThat(outbox).deadLetters().once(), "dead letters: 1 message(s)", "nothing");
        fails(() -> assertThat(outbox).published("orders").times(2), "2 message(s) to 'orders'", "but 1 of these");
        fails(() -> assertThat(outbox).published().inOrderOfKeys("7"), "[7]", "[42, null]");
        fails(() -> assertThat(outbox).as("the shop").published("x"), "[the shop]");
    }

    @Test
    void assertion_on_a_payload_says_why_it_failed(Outbox outbox) {
        assertThatThrownBy(() -> assertThat(outbox)
                        .published("orders")
                        .withPayload(
                                Order.class, order -> assertThat(order.id()).isEqualTo("7")))
                .isInstanceOf(AssertionError.class)
                .satisfies(error -> assertThat(error.getSuppressed()[0]).hasMessageContaining("\"7\""));
    }

    @Test
    void path_that_is_none_is_refused() {
        assertThatThrownBy(() -> JsonPath.find(List.of(), "a..b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a..b");
    }
}
