package dev.postroom.admin.redact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What was taken out of a message is taken out of its error texts too. */
@Tag("R72")
class HiddenValuesTest {

    @Test
    void a_value_is_hidden_also_where_the_text_was_cut_off_in_the_middle_of_it() {
        HiddenValues hidden = new HiddenValues();
        hidden.add("4111-1111-1111-1111");
        assertThat(hidden.in("no 4111-1111-1111-1111, sorry; no 4111-1111-11"))
                .isEqualTo("no (redacted), sorry; no (redacted)");
        assertThat(hidden.in("no 411")).isEqualTo("no 411");
    }

    /** Few letters, so that beginnings repeat themselves. */
    @Test
    void the_longest_beginning_at_the_end_of_a_text_is_found_whatever_repeats_itself() {
        Random random = new Random(1);
        for (int round = 0; round < 5_000; round++) {
            String value = letters(random, 4 + random.nextInt(12));
            String text = letters(random, random.nextInt(20));
            HiddenValues hidden = new HiddenValues();
            hidden.add(value);
            if (!text.contains(value)) {
                assertThat(hidden.in(text)).as("%s in %s", value, text).isEqualTo(byTrying(text, value));
            }
        }
    }

    private static String byTrying(String text, String value) {
        for (int length = Math.min(value.length() - 1, text.length()); length >= 4; length--) {
            if (text.endsWith(value.substring(0, length))) {
                return text.substring(0, text.length() - length) + HiddenValues.HIDDEN;
            }
        }
        return text;
    }

    private static String letters(Random random, int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append((char) ('a' + random.nextInt(2)));
        }
        return letters.toString();
    }

    @Test
    void more_than_can_be_looked_for_in_every_text_hides_all_of_it() {
        HiddenValues hidden = new HiddenValues();
        hidden.add("a".repeat(16_384));
        assertThat(hidden.isEverything()).isFalse();
        hidden.add("a".repeat(16_384));
        assertThat(hidden.isEverything()).as("the same again").isFalse();
        hidden.add("b");
        assertThat(hidden.isEverything()).isTrue();
    }

    @Test
    void value_that_is_part_of_another_leaves_nothing_of_it() {
        HiddenValues hidden = new HiddenValues();
        hidden.add("jane");
        hidden.add("jane.doe@example.com");
        assertThat(hidden.in("no mail to jane.doe@example.com, ask jane"))
                .isEqualTo("no mail to (redacted), ask (redacted)");
    }

    @Test
    void credential_is_hidden_also_where_it_is_quoted_without_its_scheme_or_name() {
        HiddenValues hidden = new HiddenValues();
        hidden.addHeader("Bearer k-8842-secret");
        hidden.addHeader("session=abcdefgh1; Path=/");
        assertThat(hidden.in("k-8842-secret and abcdefgh1 are unknown"))
                .isEqualTo("(redacted) and (redacted) are unknown");
    }

    @Test
    void parts_of_a_header_are_hidden_by_themselves_and_common_words_are_not() {
        HiddenValues hidden = new HiddenValues();
        hidden.addHeader("Token ab12");
        hidden.addHeader("theme=light; sid=\"q7w8\"; Path=/; HttpOnly");
        hidden.addHeader("Basic " + java.util.Base64.getEncoder().encodeToString("jane:pa55".getBytes(UTF_8)));
        assertThat(hidden.in("Token ab12, q7w8 in Path of theme, jane has no pa55, amFuZTpwYTU1"))
                .isEqualTo("(redacted), (redacted) in Path of theme, jane has no (redacted), (redacted)");
    }

    @Test
    void value_is_hidden_also_where_its_characters_are_escaped_or_encoded() {
        HiddenValues hidden = new HiddenValues();
        hidden.add("a\"b/c d'e");
        assertThat(hidden.in("no a\\\"b\\/c d'e!")).isEqualTo("no (redacted)!");
        assertThat(hidden.in("no a%22b%2Fc%20d'e!")).isEqualTo("no (redacted)!");
        assertThat(hidden.in("no a%2522b%252Fc%2520d'e!")).isEqualTo("no (redacted)!");
        assertThat(hidden.in("no a\\u0022b/c d\\u0027e!")).isEqualTo("no (redacted)!");
        assertThat(hidden.in("no a\\\\\\\"b/c d'e!")).isEqualTo("no (redacted)!");
        assertThat(hidden.in("100% of \\u and %zz stay\\")).isEqualTo("100% of \\u and %zz stay\\");
    }

    @Test
    void more_values_than_are_kept_hide_everything() {
        HiddenValues hidden = new HiddenValues();
        for (int i = 0; i < 500; i++) {
            hidden.add("value " + i);
        }
        assertThat(hidden.isEverything()).isFalse();
        hidden.add("value 500");
        assertThat(hidden.isEverything()).isTrue();
    }
}
