package dev.postroom.admin.rest;

import dev.postroom.FailureReason;
import dev.postroom.admin.http.Body;
import dev.postroom.admin.http.Call;
import dev.postroom.admin.http.RefusedException;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which messages are meant, in a query and in a body, by the same names. */
final class Filters {
    static final String[] NAMES = {
        "status",
        "tenant",
        "topic",
        "key",
        "type",
        "reason",
        "minAttempts",
        "hasError",
        "createdAfter",
        "createdBefore",
        "staleSeconds",
        "q"
    };

    private static final String TIME = "a time such as 2026-03-01T10:00:00Z";
    private static final String REASON = "a reason such as HANDLER_EXCEPTION";

    private Filters() {}

    static MessageFilter of(Call call) {
        return MessageFilter.builder()
                .status(call.parameter("status", MessageStatus::of, "a status"))
                .tenant(call.parameter("tenant").orElse(null))
                .topic(call.parameter("topic").orElse(null))
                .key(call.parameter("key").orElse(null))
                .type(call.parameter("type").orElse(null))
                .reason(call.parameter("reason", Filters::reason, REASON))
                .minAttempts(call.parameter("minAttempts", Integer::valueOf, "a whole number"))
                .hasError(call.parameter("hasError", Filters::flag, "true or false"))
                .createdAfter(call.parameter("createdAfter", Filters::time, TIME))
                .createdBefore(call.parameter("createdBefore", Filters::time, TIME))
                .staleFor(seconds(call.parameter("staleSeconds", Integer::valueOf, "a whole number")))
                .text(call.parameter("q").orElse(null))
                .build();
    }

    static MessageFilter of(Body filter) {
        filter.only(NAMES);
        return MessageFilter.builder()
                .status(filter.text("status", MessageStatus::of, "a status"))
                .tenant(filter.text("tenant"))
                .topic(filter.text("topic"))
                .key(filter.text("key"))
                .type(filter.text("type"))
                .reason(filter.text("reason", Filters::reason, REASON))
                .minAttempts(filter.number("minAttempts"))
                .hasError(filter.flag("hasError"))
                .createdAfter(filter.text("createdAfter", Filters::time, TIME))
                .createdBefore(filter.text("createdBefore", Filters::time, TIME))
                .staleFor(seconds(filter.number("staleSeconds")))
                .text(filter.text("q"))
                .build();
    }

    static Instant time(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    private static FailureReason reason(String text) {
        return FailureReason.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return text.equals("true");
    }

    private static @Nullable Duration seconds(@Nullable Integer seconds) {
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    /** A text that must be there. */
    static String required(Body body, String member) {
        String text = body.text(member);
        if (text == null || text.isBlank()) {
            throw RefusedException.badRequest(member + " is needed");
        }
        return text;
    }
}
