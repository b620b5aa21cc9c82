package dev.postroom.jdbc.internal.operations;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When the first message with a due time is or was due, the next one from now on, and the last one. */
record DueTimes(
        @Nullable Instant first,
        @Nullable Instant next,
        @Nullable Instant latest) {

    /** Asks a statement with the columns {@code first_due}, {@code next_due} and {@code latest_due}. */
    static DueTimes ask(Statements statements, String text, List<Instant> values) throws SQLException {
        return statements.one(
                text,
                values,
                row -> new DueTimes(
                        statements.timestamps().get(row, "first_due"),
                        statements.timestamps().get(row, "next_due"),
                        statements.timestamps().get(row, "latest_due")));
    }
}
