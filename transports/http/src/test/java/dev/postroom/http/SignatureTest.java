package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.http.Receiver.Request;
import dev.postroom.testkit.contract.SampleDelivery;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R57")
class SignatureTest {
    private static final byte[] KEY = "0123456789abcdefghijklmn".getBytes(StandardCharsets.UTF_8);
    private static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(KEY);
    private static final String OLD = "an older secret as plain text";

    private static Request received(Receiver receiver, Webhook webhook) {
        try (webhook) {
            Sending.of(webhook.allowPrivateAddresses(), "{\"total\":\"5 €\"}").outcome();
        }
        return receiver.requests().get(0);
    }

    /** The receiver's side, written from the specification and sharing nothing with ours. */
    private static String expected(Request request, byte[] key) throws Exception {
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        signed.write(request.header("Webhook-id").getBytes(StandardCharsets.UTF_8));
        signed.write('.');
        signed.write(request.header("Webhook-timestamp").getBytes(StandardCharsets.UTF_8));
        signed.write('.');
        signed.write(request.body());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
    }

    @Test
    void is_that_of_standard_webhooks() throws Exception {
        try (Receiver receiver = Receiver.start()) {
            Request request = received(receiver, Webhook.to(receiver.url()).secret(SECRET));
            assertThat(request.header("Webhook-signature")).isEqualTo(expected(request, KEY));
            assertThat(request.header("Webhook-id")).isEqualTo(request.header("Ce-id"));
            Instant sent = Instant.ofEpochSecond(Long.parseLong(request.header("Webhook-timestamp")));
            assertThat(Duration.between(sent, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        }
    }

    /** Frameworks such as Express undo a content encoding before anybody can verify; there must be none to undo. */
    @Test
    void is_over_what_the_receivers_application_reads() throws Exception {
        SampleDelivery sample = SampleDelivery.to("orders").json(40 << 10);
        try (Receiver receiver = Receiver.start();
                Webhook webhook = Webhook.to(receiver.url()).secret(SECRET).allowPrivateAddresses()) {
            Sending.of(webhook, sample.compressed().build()).outcome();
            Request request = receiver.requests().get(0);
            assertThat(request.header("Content-encoding")).isNull();
            assertThat(request.body()).isEqualTo(sample.content().payload());
            assertThat(request.header("Webhook-signature")).isEqualTo(expected(request, KEY));
        }
    }

    @Test
    void agrees_with_the_specifications_example() {
        String signature = WebhookSecret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                .sign(
                        "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.".getBytes(StandardCharsets.UTF_8),
                        "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8));
        assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void is_made_with_every_active_secret_so_that_they_can_be_rotated() throws Exception {
        try (Receiver receiver = Receiver.start()) {
            Request request = received(receiver, Webhook.to(receiver.url()).secrets(SECRET, OLD));
            assertThat(request.header("Webhook-signature").split(" "))
                    .containsExactly(expected(request, KEY), expected(request, OLD.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void a_secret_with_spaces_is_one_secret() throws Exception {
        String secret = " two words, one secret ";
        try (Receiver receiver = Receiver.start()) {
            Request request = received(receiver, Webhook.to(receiver.url()).secret(secret));
            assertThat(request.header("Webhook-signature"))
                    .isEqualTo(expected(request, secret.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void is_missing_without_a_secret() throws Exception {
        try (Receiver receiver = Receiver.start()) {
            Request request = received(receiver, Webhook.to(receiver.url()));
            assertThat(request.header("Webhook-signature")).isNull();
            assertThat(request.header("Webhook-id")).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "whsec_", "whsec_not base64!"})
    void cannot_be_made_with_a_secret_that_is_none(String secret) {
        assertThatThrownBy(() -> Webhook.to("https://example.com").secret(secret))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("secret")
                .hasMessageNotContaining("not base64!");
    }

    @Test
    void secrets_are_never_shown() {
        assertThat(WebhookSecret.of(OLD)).asString().doesNotContain(OLD);
        assertThat(Webhook.to("https://example.com/T0/very-secret?key=secret")
                        .secret(OLD)
                        .description())
                .isEqualTo("http https://example.com");
    }
}
