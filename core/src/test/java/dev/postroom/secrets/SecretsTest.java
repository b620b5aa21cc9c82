package dev.postroom.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R72")
class SecretsTest {
    private static final String ODD =
            "p@ss/w:rd|geh eim%41|\"quoted\"|it's|back\\slash|tab\there|ünïcödé|日本語の鍵|😀😀😀😀|a&b=c;d|line\nbreak|$1\\1%";

    private static String hidden(String secret, String spelled) {
        return Secrets.of(secret).hide("before " + spelled + " after");
    }

    private static String percentEncoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> escaped.append(String.format(Locale.ROOT, "\\u%04x", c)));
        return escaped.toString();
    }

    @Test
    void are_hidden_however_they_are_spelled() {
        for (String secret : ODD.split("\\|", -1)) {
            String json = secret.replace("\\", "\\\\")
                    .replace("\"", "\\\"")
                    .replace("\n", "\\n")
                    .replace("\t", "\\t");
            for (String spelled : new String[] {
                secret,
                percentEncoded(secret),
                percentEncoded(secret).replace("+", "%20"),
                percentEncoded(secret).replace("+", "%20").toLowerCase(Locale.ROOT),
                percentEncoded(percentEncoded(secret).replace("+", "%20")),
                json,
                escaped(secret),
                secret.replace("'", "''"),
                secret.replace('"', '\'').replaceAll("\\p{Cntrl}", " ")
            }) {
                assertThat(hidden(secret, spelled)).as(spelled).isEqualTo("before *** after");
            }
        }
    }

    @Test
    void that_were_given_encoded_are_hidden_when_they_are_decoded() {
        assertThat(Secrets.of("p%40ss%2Fword").hide("no host ss, p@ss/word")).isEqualTo("no host ss, ***");
    }

    @Test
    void are_hidden_wherever_they_are_and_as_often() {
        assertThat(Secrets.of("s3cr3t", "s3cr3t-longer").hide("s3cr3ts3cr3t-longer:xs3cr3ty"))
                .isEqualTo("******:x***y");
    }

    @Test
    void that_are_words_are_hidden_only_as_words() {
        Secrets root = Secrets.of("root");
        assertThat(root.hide("chroot router root, root:root@h '\\nroot' %20root"))
                .isEqualTo("chroot router ***, ***:***@h '\\n***' %20***");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a", "abc", "    "})
    void that_are_too_short_to_be_told_from_other_text_are_not_looked_for(String secret) {
        assertThat(Secrets.of(secret).hide("a b abc    d")).isEqualTo("a b abc    d");
    }

    @Test
    void of_which_only_the_beginning_was_left_are_hidden() {
        assertThat(Secrets.of("hunter2-hunter2").hide("the receiver said hunter2-h"))
                .isEqualTo("the receiver said ***");
    }

    @Test
    void with_several_lines_are_hidden_line_by_line() {
        Secrets key = Secrets.of("-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n");
        assertThat(key.hide("cannot read MIIEvQIBADANBg")).isEqualTo("cannot read ***");
    }

    @Test
    void that_are_public_words_are_left_alone() {
        assertThat(Secrets.of("postgres", "geheim42")
                        .exceptWordsOf("jdbc:postgresql://h/postgres")
                        .hide("postgres geheim42"))
                .isEqualTo("postgres ***");
    }

    @Test
    void do_not_tell_themselves() {
        assertThat(Secrets.of("geheim42").toString()).isEqualTo("Secrets[1]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"sasl.jaas.config", "ssl.keystore.key", "PASSWORD", "sslpassword", "access_token", "api-key"})
    void are_known_by_the_names_of_their_properties(String name) {
        assertThat(Secrets.areIn(name)).isTrue();
        assertThat(Secrets.areIn("ssl.keystore.location")).isFalse();
        assertThat(Secrets.areIn("key.serializer")).isFalse();
    }
}
