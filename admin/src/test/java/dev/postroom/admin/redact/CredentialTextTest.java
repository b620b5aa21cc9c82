package dev.postroom.admin.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials that are in an error text and not in its message. */
@Tag("R72")
class CredentialTextTest {
    private final HeaderNames names = HeaderNames.usualAnd(List.of("x-customer", "*-iban", "!page-token"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rejected: authorization: Token S3CRET",
                "rejected: AUTHORIZATION: Custom a=1, S3CRET",
                "cookie: theme=dark; sid=S3CRET; x=1",
                "{'Authorization': 'Bearer S3CRET', 'Host': 'a'}",
                "{'Cookie': ['a=1', 'S3CRET']}",
                "{\\\"Authorization\\\":\\\"Digest \\\\\\\"S3CRET\\\\\\\"\\\"}",
                "{\"authorization\":\"a\\\"S3CRET\"}",
                "Authorization=S3CRET",
                "{Authorization=[Bearer S3CRET], Host=[a]}",
                "map[Authorization:[S3CRET] Host:[a]]",
                "\"Authorization\"=>\"S3CRET\"",
                "[(b'authorization', b'S3CRET'), (b'host', b'a')]",
                "[\"authorization\", \"S3CRET\"]",
                "<Authorization>S3CRET</Authorization>",
                "HTTP_AUTHORIZATION: S3CRET",
                "Authorization%3A%20S3CRET",
                "x_api_key = S3CRET",
                "x-api-key: Key S3CRET",
                "apiKey=S3CRET&x=1",
                "x-auth: S3CRET",
                "jwt=S3CRET",
                "sessionid: S3CRET",
                "DB_PASSWORD='S3CRET'",
                "x-customer: S3CRET",
                "a-name-that-is-longer-than-the-sixty-characters-which-were-looked-at-iban: S3CRET",
                "no bearer S3CRET-7a",
                "ApiKey S3CRET99",
                "Token S3CRET1 is unknown",
                "got eyJhbGciOiJIUzI1NiJ9.S3CRETS3CRET.S3CRETS3",
                "key AKIAS3CRETS3CRETS3CR",
                "ghp_S3CRETS3CRETS3CRET",
                "sk_live_S3CRETS3CRET"
            })
    void credential_is_hidden_in_whatever_notation_a_receiver_quotes_it(String text) {
        assertThat(CredentialText.hide(text, names))
                .contains(HiddenValues.HIDDEN)
                .doesNotContain("S3CRET");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no stock for order 4711: try later",
                "401 Unauthorized",
                "token expired",
                "the author: Jane",
                "page-token: 12345",
                "connect to host=db port=5432 failed",
                "side: left",
                "password:",
                "authorization: (redacted)"
            })
    void other_texts_stay_as_they_are(String text) {
        assertThat(CredentialText.hide(text, names)).isEqualTo(text);
    }

    @Test
    void the_rest_of_a_text_stays() {
        assertThat(CredentialText.hide("{'token': 'S3CRET', 'order': 7}", names))
                .isEqualTo("{'token': '(redacted)', 'order': 7}");
        assertThat(CredentialText.hide("Authorization: X S3CRET\nHost: a", names))
                .isEqualTo("Authorization: (redacted)\nHost: a");
    }

    /** What is searched for somebody must be what is shown to them: the expression finds every text that is changed. */
    @Test
    void no_text_is_changed_in_which_the_expression_finds_nothing() {
        Pattern expression = Pattern.compile(CredentialText.expression(names));
        String[] words = {
            "auth",
            "Authorization",
            "x-",
            "_",
            "-",
            ":",
            "=",
            " ",
            "9",
            "\"",
            "'",
            "\\",
            "sid",
            "SID",
            "basic",
            "bearer ",
            "abcdef12",
            "token",
            "iban",
            "-iban",
            "x-customer",
            "eyJ",
            ".",
            "dpop",
            "xox",
            "a-",
            "sk_live_",
            "AKIA",
            "[",
            ">",
            "oTp",
            "page-token",
            "\n",
            "side",
            "pwd"
        };
        Random random = new Random(7);
        int changed = 0;
        for (int round = 0; round < 50_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(9); i >= 0; i--) {
                text.append(words[random.nextInt(words.length)]);
            }
            if (!CredentialText.hide(text.toString(), names).contentEquals(text)) {
                changed++;
                assertThat(expression.matcher(text).find()).as("in <%s>", text).isTrue();
            }
        }
        assertThat(changed).isGreaterThan(1_000);
        assertThat(expression
                        .matcher("no stock for order 4711, 401 Unauthorized")
                        .find())
                .isFalse();
    }

    @Test
    void long_text_of_a_stranger_costs_no_time() {
        for (String piece : new String[] {"a", "a=", "\\", "token: \\\"", "authorization:", "(", "eyJ", "basic "}) {
            assertThat(CredentialText.hide(piece.repeat(8_000 / piece.length()), names))
                    .isNotNull();
        }
    }
}
