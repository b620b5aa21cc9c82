package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R54")
class ErrorFingerprintTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            timeout after 5003 ms                                   | timeout after <n> ms
            10.0.3.17:5672 refused                                  | <n> refused
            order 0190A1b2-0000-7000-8000-0123456789ab is gone      | order <id> is gone
            no field "price" in 'item 7'                            | no field <text> in <text>
            can't reach it, won't try                               | can't reach it, won't try
            object at 0x7fff5fbff8c0, etag 9f86d081884c7d65         | object at <hex>, etag <hex>
            a defaced facade is no number                           | a defaced facade is no number
            """)
    void what_differs_each_time_is_taken_out(String error, String fingerprint) {
        assertThat(ErrorFingerprint.of(error)).isEqualTo(fingerprint);
    }

    @Test
    void line_breaks_and_blanks_make_no_difference() {
        assertThat(ErrorFingerprint.of("  connection\n\treset  ")).isEqualTo("connection reset");
    }

    @Test
    void it_stays_short_however_long_the_error() {
        assertThat(ErrorFingerprint.of("word ".repeat(100_000))).hasSize(ErrorFingerprint.LONGEST);
    }

    @Test
    void an_empty_error_has_an_empty_fingerprint() {
        assertThat(ErrorFingerprint.of("")).isEmpty();
    }
}
