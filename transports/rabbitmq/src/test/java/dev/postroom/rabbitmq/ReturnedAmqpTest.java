package dev.postroom.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import dev.postroom.FailureReason;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.inbox.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a message carries when it goes back to the broker, and what is read of it when it comes again. */
@Tag("R41")
class ReturnedAmqpTest {
    private static final BasicProperties RECEIVED = new BasicProperties.Builder()
            .messageId("m1")
            .contentType("text/plain")
            .expiration("60000")
            .userId("guest")
            .deliveryMode(1)
            .headers(Map.of(
                    "shop", "north",
                    "CC", List.of("elsewhere"),
                    "BCC", List.of("elsewhere"),
                    "x-death", "once",
                    "x-first-death-queue", "orders",
                    "postroom-attempt", 2,
                    "postroom-error", "an older one"))
            .build();

    private static ReceivedMessage received(BasicProperties properties) {
        return ReceivedAmqp.of(new Delivery(new Envelope(1, false, "", "queue"), properties, new byte[] {1}));
    }

    /** It would vanish with an expiration, be refused in another's name, and be copied with routing headers. */
    private static void isFitToGoBack(BasicProperties returned) {
        assertThat(returned.getExpiration()).isNull();
        assertThat(returned.getUserId()).isNull();
        assertThat(returned.getDeliveryMode()).isEqualTo(2);
        assertThat(returned.getMessageId()).isEqualTo("m1");
        assertThat(returned.getContentType()).isEqualTo("text/plain");
        assertThat(returned.getHeaders())
                .containsEntry("shop", "north")
                .doesNotContainKeys("CC", "BCC", "x-death", "x-first-death-queue");
    }

    @Test
    void message_to_be_tried_again_says_which_try_when_and_why() {
        BasicProperties again = ReturnedAmqp.again(
                RECEIVED, new Verdict.Again(3, Duration.ofHours(1), FailureReason.TIMEOUT, "no answer"));
        isFitToGoBack(again);
        assertThat(again.getHeaders())
                .containsEntry("postroom-attempt", 3)
                .containsEntry("postroom-reason", "TIMEOUT")
                .containsEntry("postroom-error", "no answer");
        long now = System.currentTimeMillis();
        assertThat(ReturnedAmqp.due(again)).isBetween(now + 3_500_000, now + 3_600_000);
        assertThat(received(again).attempt()).isEqualTo(3);
        assertThat(received(again).headers()).containsOnly(Map.entry("shop", "north"));
    }

    @Test
    void dead_letter_says_after_how_many_attempts_why_whose_and_from_where() {
        BasicProperties dead =
                ReturnedAmqp.dead(RECEIVED, new Verdict.Dead(4, FailureReason.POISON, "no way"), "billing", "orders");
        isFitToGoBack(dead);
        assertThat(dead.getHeaders())
                .containsEntry("postroom-attempts", 4)
                .containsEntry("postroom-reason", "POISON")
                .containsEntry("postroom-error", "no way")
                .containsEntry("postroom-consumer", "billing")
                .containsEntry("postroom-queue", "orders")
                .containsKey("postroom-dead-at")
                .doesNotContainKeys("postroom-attempt", "postroom-due");
        assertThat(received(dead).attempt()).as("when somebody puts it back").isEqualTo(1);
    }

    @Test
    void message_of_a_foreign_sender_is_known_by_its_properties_and_attributes() {
        ReceivedMessage plain = received(new BasicProperties.Builder()
                .messageId("m1")
                .type("OrderPlaced")
                .build());
        assertThat(plain.id()).isEqualTo("m1");
        assertThat(plain.type()).isEqualTo("OrderPlaced");
        assertThat(plain.tenant()).isEmpty();
        assertThat(plain.attempt()).isEqualTo(1);

        ReceivedMessage event = received(new BasicProperties.Builder()
                .messageId("m1")
                .type("ignored")
                .headers(Map.of(
                        "cloudEvents:id", "e1",
                        "cloudEvents:type", "OrderPlaced",
                        "cloudEvents:tenantid", "acme",
                        "cloudEvents:traceparent", "00-a-b-01",
                        "cloudEvents:tracestate", "of the event",
                        "tracestate", "of the message"))
                .build());
        assertThat(event.id()).isEqualTo("e1");
        assertThat(event.type()).isEqualTo("OrderPlaced");
        assertThat(event.tenant()).isEqualTo("acme");
        assertThat(event.headers())
                .containsOnly(Map.entry("traceparent", "00-a-b-01"), Map.entry("tracestate", "of the message"));
    }

    @Test
    void attributes_in_the_other_form_of_the_binding_are_read_too_and_are_no_headers() {
        ReceivedMessage event = received(new BasicProperties.Builder()
                .headers(Map.of(
                        "cloudEvents_id", "e1",
                        "cloudEvents_type", "OrderPlaced",
                        "cloudEvents_subject", "42",
                        "cloudEvents:subject", "43"))
                .build());
        assertThat(event.id()).isEqualTo("e1");
        assertThat(event.type()).isEqualTo("OrderPlaced");
        assertThat(event.key()).as("the form that Postroom writes").isEqualTo("43");
        assertThat(event.headers()).isEmpty();
    }

    @Test
    void what_the_broker_counts_and_notes_is_no_header_of_the_sender() {
        ReceivedMessage message = received(new BasicProperties.Builder()
                .messageId("m1")
                .headers(Map.of(
                        "x-delivery-count", 3,
                        "x-acquired-count", 4,
                        "x-opt-delivery-time", 1,
                        "x-last-death-reason", "delivery_limit",
                        "x-shop", "north"))
                .build());
        assertThat(message.headers()).containsOnly(Map.entry("x-shop", "north"));
    }
}
