package dev.postroom.server.cli;

import dev.postroom.PostroomException;
import dev.postroom.operations.MessageStatus;
import dev.postroom.server.text.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** How values of options are written, and times in answers. */
final class Values {
    private Values() {}

    static Duration duration(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** {@code 2026-03-01T10:00:00Z}, with another offset, or a day, which begins at midnight UTC. */
    static Instant time(String text) {
        try {
            return text.length() == 10
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time such as 2026-03-01T10:00:00Z or 2026-03-01");
        }
    }

    static MessageStatus status(String label) {
        try {
            return MessageStatus.of(label);
        } catch (PostroomException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a message id such as 01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11");
        }
    }

    /** For people, who rarely count microseconds. */
    static String shown(@Nullable Instant time) {
        return time == null ? "" : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
