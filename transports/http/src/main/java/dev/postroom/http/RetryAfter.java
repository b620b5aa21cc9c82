package dev.postroom.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** When a receiver wants to be asked again. */
final class RetryAfter {
    /** A receiver's mistake must not hold messages for a year. */
    static final Duration LONGEST = Duration.ofMinutes(15);

    private static final int MOST_DIGITS = 9;

    private RetryAfter() {}

    /** From seconds or a date; null when there is none, or none that can be read. */
    static @Nullable Duration of(@Nullable String header, Instant now) {
        if (header == null) {
            return null;
        }
        Duration wait = header.isBlank() ? null : parsed(header.strip(), now);
        if (wait == null || wait.isNegative()) {
            return null;
        }
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }

    private static @Nullable Duration parsed(String text, Instant now) {
        if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return text.length() > MOST_DIGITS ? LONGEST : Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            return Duration.between(
                    now,
                    ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
        } catch (DateTimeException notADate) {
            return null;
        }
    }
}
