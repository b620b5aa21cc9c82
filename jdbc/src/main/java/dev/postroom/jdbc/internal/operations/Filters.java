package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.Change;
import dev.postroom.operations.ErrorSearch;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what an operator asks for into conditions. */
final class Filters {
    private static final String DUE = "COALESCE(m.retry_at, m.available_at)";

    private static final String SHOWN_AS_STORED = """
            CASE WHEN {error} AND NOT ({mentions})
                 THEN NOT EXISTS (SELECT 1 FROM {table} h {along id} WHERE h.id = {t}.id AND {headersMention}{fence})
                 ELSE FALSE END
            """;

    /** Headers are JSON, where a name may be written so that no expression finds it. */
    private static final String ESCAPED = "|\\\\[bfnrtu]";

    private final OperationsSql sql;

    Filters(OperationsSql sql) {
        this.sql = sql;
    }

    /** Whether one stream is meant. */
    static boolean isOfStream(MessageFilter filter) {
        return filter.tenant() != null && filter.key() != null;
    }

    /** On live rows {@code m}, which it helps to find. */
    Where live(MessageFilter filter, Instant now) {
        Where where = conditions(filter, now, sql.heldAmongMany());
        if (filter.tenant() != null && filter.key() != null) {
            where.and(sql.nearStream(), filter.tenant(), filter.key());
        }
        return where;
    }

    /** On live rows {@code m} that were found already. */
    Where found(MessageFilter filter, Instant now) {
        return conditions(filter, now, sql.held());
    }

    private Where conditions(MessageFilter filter, Instant now, String held) {
        Where where = new Where();
        if (filter.status() != null) {
            addStatus(where, filter.status(), now, held);
        }
        if (filter.staleFor() != null) {
            where.and("m.created_at < ?", now.minus(filter.staleFor()));
        }
        addCommon(where, filter, "m");
        return where;
    }

    /** On archived rows {@code a}. */
    Where archived(MessageFilter filter) {
        Where where = new Where().and("a.outcome = ?", filter.status() == MessageStatus.SKIPPED ? 1 : 0);
        addCommon(where, filter, "a");
        return where;
    }

    private void addCommon(Where where, MessageFilter filter, String t) {
        where.andTenants(t + ".tenant", filter.sight().tenants())
                .andIf(t + ".tenant = ?", filter.tenant())
                .andIf(t + ".topic = ?", filter.topic())
                .andIf(t + ".ordering_key = ?", filter.key())
                .andIf(t + ".type = ?", filter.type())
                .andIf(
                        t + ".reason = ?",
                        filter.reason() == null ? null : filter.reason().name())
                .andIf(t + ".attempts >= ?", filter.minAttempts())
                .andIf(t + ".created_at >= ?", filter.createdAfter())
                .andIf(t + ".created_at < ?", filter.createdBefore());
        if (filter.hasError() != null) {
            where.and(t + (filter.hasError() ? ".error IS NOT NULL" : ".error IS NULL"));
        }
        if (filter.text() != null) {
            String pattern = "%" + escaped(filter.text().toLowerCase(Locale.ROOT)) + "%";
            addSearch(where, t, pattern, filter.sight().errors());
        }
    }

    /**
     * The headers are looked up for those rows alone whose error matches: lists do not carry them along. CASE, because a database may
     * otherwise look at them first.
     */
    private void addSearch(Where where, String t, String pattern, ErrorSearch errors) {
        String words = sql.search() + " OR ";
        String error = sql.searchError();
        if (!errors.any()) {
            where.and(sql.search().replace("{t}", t), pattern, pattern, pattern, pattern);
        } else if (errors.unless() == null) {
            where.and((words + error).replace("{t}", t), pattern, pattern, pattern, pattern, pattern);
        } else {
            String shown = words
                    + SHOWN_AS_STORED
                            .replace("{error}", error)
                            .replace("{mentions}", sql.containsExpression("{t}.error"))
                            .replace("{headersMention}", sql.containsExpression("h.headers"))
                            .replace("{fence}", sql.fence())
                            .replace("{table}", t.equals("a") ? "postroom_archive" : "postroom_message");
            where.and(
                    shown.replace("{t}", t),
                    pattern,
                    pattern,
                    pattern,
                    pattern,
                    pattern,
                    errors.unless(),
                    errors.unless() + ESCAPED);
        }
    }

    private static String escaped(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }

    private static void addStatus(Where where, MessageStatus status, Instant now, String held) {
        switch (status) {
            case DEAD -> where.and("m.state = 3");
            case SCHEDULED -> where.and("m.state IN (1, 2)").and(DUE + " > ?", now);
            case BLOCKED -> addSendable(where, now).and("m.ordering_key IS NOT NULL AND NOT m.released AND " + held);
            case PENDING -> addSendable(where, now).and("m.ordering_key IS NULL OR m.released OR NOT " + held);
            // A failure gives a row its retry time, hence a failed row that is not dead is waiting.
            case FAILED -> where.and("m.state = 2 AND m.attempts > 0");
            // Only relays know, and tell in their reports; the tables do not.
            case IN_FLIGHT -> where.and("1 = 0");
            case PROCESSED, SKIPPED -> throw new IllegalArgumentException(status + " messages are not live");
        }
    }

    /** Which states a row can be in that has this status, or any. */
    static List<Integer> states(@Nullable MessageStatus status) {
        if (status == null) {
            return List.of(0, 1, 2, 3);
        }
        return switch (status) {
            case DEAD -> List.of(3);
            case SCHEDULED -> List.of(1, 2);
            case BLOCKED, PENDING -> List.of(0, 1, 2);
            case FAILED -> List.of(2);
            case IN_FLIGHT, PROCESSED, SKIPPED -> List.of();
        };
    }

    /** The live row {@code m} is in one of these states, which are next to each other. Not IN, for which H2 sorts. */
    static Where inStates(List<Integer> states) {
        return new Where().and("m.state BETWEEN ? AND ?", Collections.min(states), Collections.max(states));
    }

    private static Where addSendable(Where where, Instant now) {
        return where.and("m.state = 0 OR m.state IN (1, 2) AND " + DUE + " <= ?", now);
    }

    /** Which states a row can be in that a change can be made to. */
    static List<Integer> states(Change change) {
        return switch (change) {
            case RETRY -> List.of(2, 3);
            case DEAD_LETTER -> List.of(0, 1, 2);
            case SKIP, RELEASE -> List.of(0, 1, 2, 3);
            case DELETE -> List.of(3);
        };
    }

    /** Whether a change can be made to the live row {@code m}. */
    static String fits(Change change) {
        return fits(change, "m.state");
    }

    /**
     * The same for a row that is looked up by its id. Plus 0, or PostgreSQL may read all rows in these states along their
     * index, when it takes them to be few.
     */
    static String fitsById(Change change) {
        return fits(change, "m.state + 0");
    }

    private static String fits(Change change, String state) {
        return switch (change) {
            case RETRY -> state + " IN (2, 3)";
            case DEAD_LETTER -> state + " IN (0, 1, 2)";
            case SKIP -> state + " IN (0, 1, 2, 3)";
            case DELETE -> state + " = 3";
            case RELEASE -> "m.ordering_key IS NOT NULL AND NOT m.released";
        };
    }
}
