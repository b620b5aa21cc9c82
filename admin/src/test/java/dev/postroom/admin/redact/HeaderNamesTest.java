package dev.postroom.admin.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R72")
class HeaderNamesTest {
    private final HeaderNames names = HeaderNames.usualAnd(List.of("x-customer", "*-IBAN", "!page-token"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "authorization",
                "AUTHORIZATION",
                " Authorization ",
                "proxy-authorization",
                "cookie",
                "Set-Cookie",
                "x-api-key",
                "X_API_KEY",
                "apikey",
                "access_token",
                "client-secret",
                "DB_PASSWORD",
                "webhook-signature",
                "x-auth",
                "X-Auth-Key",
                "x-sentry-auth",
                "auth",
                "x-access-key",
                "AWSAccessKeyId",
                "jwt",
                "x-bearer",
                "sessionid",
                "JSESSIONID",
                "x-session-id",
                "x-amz-security-token",
                "x-amz-server-side-encryption-customer-key",
                "x-amzn-oidc-data",
                "x-goog-api-key",
                "x-goog-iap-jwt-assertion",
                "Ocp-Apim-Subscription-Key",
                "x-functions-key",
                "x-ms-client-principal",
                "DD-APPLICATION-KEY",
                "x-csrf-token",
                "X-XSRF",
                "x-shopify-hmac-sha256",
                "x-github-otp",
                "DPoP",
                "x-customer",
                "payer-iban"
            })
    void credentials_and_what_the_settings_name_are_hidden_whatever_the_case(String header) {
        assertThat(names.hide(header)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "traceparent",
                "content-type",
                "x-customer-id",
                "iban",
                "page-token",
                "",
                "author",
                "x-authored-by",
                "side",
                "x-key",
                "idempotency-key",
                "topic"
            })
    void others_and_exceptions_are_shown(String header) {
        assertThat(names.hide(header)).isFalse();
    }

    @Test
    void long_name_of_a_stranger_costs_no_time() {
        HeaderNames many = HeaderNames.usualAnd(List.of("*a*a*a*a*a*a*a*a*b"));

        assertThat(many.hide("a".repeat(16_000))).isFalse();
    }

    @Test
    void name_without_a_name_is_refused_with_its_setting() {
        assertThatThrownBy(() -> HeaderNames.usualAnd(List.of("!")))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("postroom.redact.headers");
    }
}
