package dev.postroom.testkit.internal;

import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The clocks of in-memory databases, by name. H2 cannot be given a clock, so every {@code CURRENT_TIMESTAMP} that is said to
 * such a database, also in its table definitions, becomes a call of {@link #now}. H2 calls static methods only: hence a
 * static map, which a database is taken out of when it is closed. Thread-safe.
 */
public final class DatabaseClocks {
    private static final Map<String, InstantSource> CLOCKS = new ConcurrentHashMap<>();
    private static final Pattern CURRENT_TIMESTAMP =
            Pattern.compile("\\bCURRENT_TIMESTAMP\\b(\\s*\\(\\s*\\d\\s*\\))?", Pattern.CASE_INSENSITIVE);
    private static final String FUNCTION = "PUBLIC.POSTROOM_TEST_NOW";

    private DatabaseClocks() {}

    static void set(String database, InstantSource clock) {
        CLOCKS.put(database, clock);
    }

    static void remove(String database) {
        CLOCKS.remove(database);
    }

    /** What H2 calls; public for that reason only. */
    public static OffsetDateTime now(String database) {
        InstantSource clock = CLOCKS.get(database);
        if (clock == null) {
            throw new IllegalStateException("the in-memory database " + database + " is closed");
        }
        return clock.instant().atOffset(ZoneOffset.UTC);
    }

    /** Makes the function known to a database. */
    static String definition() {
        return "CREATE ALIAS IF NOT EXISTS " + FUNCTION + " FOR '" + DatabaseClocks.class.getName() + ".now'";
    }

    /** The statement as this database is to understand it. */
    static String byClockOf(String database, String sql) {
        Matcher matcher = CURRENT_TIMESTAMP.matcher(sql);
        return matcher.find() ? matcher.replaceAll(FUNCTION + "('" + database + "')") : sql;
    }
}
