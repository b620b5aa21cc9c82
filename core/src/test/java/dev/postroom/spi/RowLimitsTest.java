package dev.postroom.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R10")
class RowLimitsTest {
    /** Every character as its number, and a space wherever PostgreSQL writes one. */
    private static String longestFormOf(int headers, int bytesOfEach) {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < headers; i++) {
            json.append(i == 0 ? "" : ", ").append('"');
            json.append("\\u0061".repeat(bytesOfEach - 1)).append("\": \"\\u0061\"");
        }
        return json.append('}').toString();
    }

    @Test
    void headers_within_the_limits_are_loaded_however_they_are_written() {
        RowLimits limits = new RowLimits(1_000, 7, 7 * 20);
        int longest = longestFormOf(7, 20).length();
        assertThat(limits.storedHeaderBytes()).isBetween((long) longest, longest + 10L);
    }

    @Test
    void the_highest_limits_do_not_overflow() {
        assertThat(RowLimits.ofPayload(1).storedHeaderBytes()).isGreaterThan(Integer.MAX_VALUE);
    }
}
