package dev.postroom.admin.http;

import dev.postroom.PostroomException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.Function;

/** How values are written in queries and bodies. */
final class Values {
    static final String TIME = "a time such as 2026-03-01T10:00:00Z";

    private Values() {}

    static <T> T read(String name, String text, Function<String, T> read, String expected) {
        try {
            return read.apply(text);
        } catch (PostroomException e) {
            throw RefusedException.badRequest(name + ": " + e.getMessage());
        } catch (IllegalArgumentException | DateTimeException e) {
            String shown = text.length() <= 60 ? text : text.substring(0, 60) + "…";
            throw RefusedException.badRequest(name + " must be " + expected + " (was '" + shown + "')");
        }
    }

    static Instant time(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    static boolean flag(String text) {
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new IllegalArgumentException(text);
    }
}
