package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R25")
class ExchangeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final List<Outcome> told = new ArrayList<>();
    private final Exchange exchange =
            new Exchange(Sending.delivery("{}"), told::add, "https://example.com", new Exchange.Owner() {
                @Override
                public void succeeded(Exchange succeeded) {}

                @Override
                public void ended(Exchange ended) {}
            });

    @Test
    void status_that_came_counts_although_its_body_never_ended() {
        assertThat(exchange.begin(() -> {})).isTrue();
        exchange.answered(new Answer(422, null));
        exchange.said("no such customer");
        exchange.expire(TIMEOUT);
        assertThat(told)
                .containsExactly(Outcome.failed(
                        FailureReason.VALIDATION_FAILURE, "the receiver answered 422: no such customer"));
    }

    @Test
    void timeout_is_an_outage_before_anything_was_sent_and_unclear_afterwards() {
        exchange.preparing();
        exchange.prepared();
        exchange.expire(TIMEOUT);
        assertThat(told).first().isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.reason()).isEqualTo(FailureReason.TRANSPORT_UNAVAILABLE);
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
        });
        assertThat(exchange.begin(() -> {})).as("sent after it was given up").isFalse();
        exchange.answered(new Answer(200, null));
        assertThat(told).as("who spoke first is heard").hasSize(1);
    }

    @Test
    @Tag("R60")
    void timeout_while_its_request_is_made_is_the_messages_fault() {
        exchange.preparing();
        exchange.expire(TIMEOUT);
        assertThat(told)
                .containsExactly(
                        Outcome.failed(FailureReason.UNKNOWN, "it could not be turned into a request within 15000 ms"));
    }

    @Test
    @Tag("R60")
    void timeout_while_others_are_prepared_is_nobodys_fault() {
        exchange.expire(TIMEOUT);
        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.scope()).isEqualTo(Scope.NOT_SENT));
    }

    @Test
    @Tag("R60")
    void whatever_prevents_its_request_ends_the_message_and_not_the_destination() {
        exchange.preparing();
        exchange.end(new java.io.UncheckedIOException("odd", new java.io.IOException("odd")));
        assertThat(told)
                .containsExactly(
                        Outcome.failed(FailureReason.SERIALIZATION, "it cannot be turned into a request: odd"));
    }

    @Test
    @Tag("R60")
    void want_of_memory_while_its_request_is_made_is_tried_again() {
        exchange.preparing();
        exchange.end(new OutOfMemoryError("Java heap space"));
        assertThat(told)
                .containsExactly(
                        Outcome.failed(FailureReason.UNKNOWN, "it cannot be turned into a request: Java heap space"));
    }
}
