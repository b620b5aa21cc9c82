package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R24")
class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | PT0S",
                "120 | PT2M",
                "Tue, 03 Feb 2026 04:06:06 GMT | PT1M",
                "86400 | PT15M",
                "99999999999999999999 | PT15M",
                "Tue, 03 Feb 2099 04:06:06 GMT | PT15M"
            })
    void is_seconds_or_a_date_up_to_a_cap(String header, Duration wait) {
        assertThat(RetryAfter.of(header, NOW)).isEqualTo(wait);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "-1", "soon", "1.5", "Tue, 03 Feb 2026 04:04:06 GMT", "２"})
    void is_ignored_when_it_says_nothing(String header) {
        assertThat(RetryAfter.of(header, NOW)).isNull();
    }
}
