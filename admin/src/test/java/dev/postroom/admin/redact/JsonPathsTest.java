package dev.postroom.admin.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R72")
class JsonPathsTest {
    private static final String X = "\"(redacted)\"";

    private static String hide(String json, String... paths) {
        return JsonPaths.of(List.of(paths)).hide(json, new HiddenValues());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "$.a | {\"a\":1,\"b\":2} | {\"a\":X,\"b\":2}",
                "$.a.b | {\"a\":{\"b\":\"s\",\"c\":1.10}} | {\"a\":{\"b\":X,\"c\":1.10}}",
                "$.a | {\"a\":{\"deep\":[1,2,{}]},\"b\":[]} | {\"a\":X,\"b\":[]}",
                "$.items[*].card | {\"items\":[{\"card\":1},{\"card\":null},{}]} | {\"items\":[{\"card\":X},{\"card\":X},{}]}",
                "$.items[1] | {\"items\":[1,2,3]} | {\"items\":[1,X,3]}",
                "$[0].a | [{\"a\":1},{\"a\":2}] | [{\"a\":X},{\"a\":2}]",
                "$..iban | {\"iban\":1,\"x\":[{\"y\":{\"iban\":[2]}}]} | {\"iban\":X,\"x\":[{\"y\":{\"iban\":X}}]}",
                "$..a.b | {\"a\":{\"a\":{\"b\":1}},\"b\":2} | {\"a\":{\"a\":{\"b\":X}},\"b\":2}",
                "$.*.pin | {\"u\":{\"pin\":1},\"v\":{\"pin\":2,\"w\":{\"pin\":3}}} | {\"u\":{\"pin\":X},\"v\":{\"pin\":X,\"w\":{\"pin\":3}}}",
                "$['first name'] | {\"first name\":\"J\"} | {\"first name\":X}",
                "$.a | {\"a\":1,\"a\":2} | {\"a\":X,\"a\":X}",
                "$.mail | {\"m\\u0061il\":\"x\"} | {\"m\\u0061il\":X}",
                "$.a |  { \"b\" : 1.000000000000000000001 , \"a\" : true }  | { \"b\" : 1.000000000000000000001 , \"a\" : X }",
                "$.a | {\"a\":1}{\"a\":2} | {\"a\":X}{\"a\":X}"
            })
    void value_at_the_path_is_hidden_and_the_rest_is_as_it_came(String path, String json, String shown) {
        assertThat(hide(json, path)).isEqualTo(shown.replace("X", X));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "{\"a\":", "{\"a\":1}}", "no json", "<a/>", "\uFEFF{\"a\":1}", "{a:1}", "{\"a\":1}#"})
    void what_is_not_json_is_told_apart(String text) {
        // An empty text has nothing to hide.
        assertThat(hide(text, "$.a")).isEqualTo(text.isEmpty() ? "" : null);
    }

    @Test
    void deep_nesting_is_no_json_and_a_large_document_takes_no_time() {
        assertThat(hide("[".repeat(5_000) + "]".repeat(5_000), "$..a")).isNull();
        String large = "[" + "{\"a\":{\"b\":[1,2,3]}},".repeat(100_000) + "0]";
        Assertions.assertTimeout(
                Duration.ofSeconds(60),
                () -> assertThat(hide(large, "$..x..y..z", "$..b[7]")).isEqualTo(large));
    }

    @Test
    void long_values_are_hidden_to_their_last_character() {
        String secret = "s3cr\\\"et".repeat(20_000);

        assertThat(hide("{\"a\":\"" + secret + "\",\"b\":\"" + secret + "\"}", "$..a", "$.b"))
                .isEqualTo("{\"a\":" + X + ",\"b\":" + X + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "$", "a.b", "$a", "$.", "$..", "$.a..", "$[", "$[x]", "$.[1]", "$.a b", "$.a[?(@.b)]"})
    void path_that_cannot_be_read_is_refused_with_its_setting(String path) {
        assertThatThrownBy(() -> JsonPaths.of(List.of(path)))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("postroom.redact.json-paths")
                .hasMessageContaining("'" + path + "'");
    }

    @Test
    void hidden_values_are_taken_out_of_errors_as_they_read_and_as_they_are_written() {
        HiddenValues hidden = new HiddenValues();
        JsonPaths.of(List.of("$.name", "$.pin", "$.deep"))
                .hide("{\"name\":\"Jo\\u00e3o Silva\",\"pin\":123,\"deep\":{\"card\":\"4111111111111111\"}}", hidden);

        assertThat(hidden.in(
                        "no João Silva, no Jo\\u00e3o Silva, pin 123 of 4123, card 4111111111111111, card 411111111"))
                .isEqualTo("no (redacted), no (redacted), pin (redacted) of 4123, card (redacted), card (redacted)");
    }
}
