package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.http.Receiver.Reply;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R25")
@Tag("R57")
class StatusTest {
    private Receiver receiver;
    private Webhook webhook;

    @BeforeEach
    void start() throws Exception {
        receiver = Receiver.start();
        webhook = Webhook.to(receiver.url()).allowPrivateAddresses();
    }

    @AfterEach
    void stop() {
        webhook.close();
        receiver.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    void success_is_every_2xx(int status) {
        receiver.answering(status);
        assertThat(Sending.of(webhook, "{}").outcome()).isEqualTo(Outcome.confirmed());
    }

    @ParameterizedTest
    @CsvSource({
        "301, TRANSPORT_UNAVAILABLE, TOPIC",
        "302, TRANSPORT_UNAVAILABLE, TOPIC",
        "304, TRANSPORT_UNAVAILABLE, TOPIC",
        "307, TRANSPORT_UNAVAILABLE, TOPIC",
        "308, TRANSPORT_UNAVAILABLE, TOPIC",
        "400, VALIDATION_FAILURE, MESSAGE",
        "401, TRANSPORT_UNAVAILABLE, TOPIC",
        "403, TRANSPORT_UNAVAILABLE, TOPIC",
        "404, TRANSPORT_UNAVAILABLE, TOPIC",
        "405, VALIDATION_FAILURE, MESSAGE",
        "408, TIMEOUT, UNCLEAR",
        "409, VALIDATION_FAILURE, MESSAGE",
        "410, VALIDATION_FAILURE, MESSAGE",
        "413, VALIDATION_FAILURE, MESSAGE",
        "422, VALIDATION_FAILURE, MESSAGE",
        "425, DEPENDENCY_FAILURE, MESSAGE",
        "429, TRANSPORT_UNAVAILABLE, DESTINATION",
        "500, DEPENDENCY_FAILURE, MESSAGE",
        "501, DEPENDENCY_FAILURE, MESSAGE",
        "502, TRANSPORT_UNAVAILABLE, UNCLEAR",
        "503, TRANSPORT_UNAVAILABLE, UNCLEAR",
        "504, TRANSPORT_UNAVAILABLE, UNCLEAR",
        "599, DEPENDENCY_FAILURE, MESSAGE"
    })
    void every_other_status_has_its_meaning(int status, FailureReason reason, Scope scope) {
        receiver.answering(status);
        Outcome.Failed failed = Sending.of(webhook, "{}").failure();
        assertThat(failed.reason()).isEqualTo(reason);
        assertThat(failed.scope()).isEqualTo(scope);
        assertThat(failed.error()).contains("" + status);
        assertThat(failed.retryAfter()).isNull();
    }

    @Test
    void a_redirect_is_not_followed() throws Exception {
        try (Receiver elsewhere = Receiver.start()) {
            receiver.answering(request -> new Reply(307, Map.of("Location", elsewhere.url()), "elsewhere"));
            assertThat(Sending.of(webhook, "{}").failure().error()).contains("307", "never followed");
            assertThat(elsewhere.requests()).isEmpty();
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 500, 503})
    @Tag("R24")
    void retry_after_goes_with_whatever_is_tried_again(int status) {
        receiver.answering(request -> new Reply(status, Map.of("Retry-After", "120"), ""));
        assertThat(Sending.of(webhook, "{}").failure().retryAfter()).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {307, 401, 404, 410, 422})
    void retry_after_of_what_is_not_tried_again_says_nothing(int status) {
        receiver.answering(request -> new Reply(status, Map.of("Retry-After", "120"), ""));
        assertThat(Sending.of(webhook, "{}").failure().retryAfter()).isNull();
    }

    @Test
    void the_error_shows_the_beginning_of_the_body_in_one_line() {
        receiver.answering(request -> new Reply(422, Map.of(), "no such\r\ncustomer" + "!".repeat(10_000)));
        String error = Sending.of(webhook, "{}").failure().error();
        assertThat(error)
                .startsWith("the receiver answered 422: no such  customer!!!")
                .hasSizeLessThan(600);
    }

    @Test
    void nothing_is_repeated_by_the_client() {
        receiver.answering(503);
        Sending.of(webhook, "{}").outcome();
        assertThat(receiver.requests()).hasSize(1);
    }
}
