package dev.postroom.jdbc.internal.operations;

import dev.postroom.DatabaseException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** Tells an operator what to do about the errors that operators meet. */
final class SqlErrors {
    /** PostgreSQL and H2; MariaDB. */
    private static final Set<String> TIMEOUT = Set.of("57014", "70100");
    /** PostgreSQL; H2 (rights, then a read-only database). */
    private static final Set<String> FORBIDDEN = Set.of("42501", "90096");

    private static final Set<String> READ_ONLY = Set.of("25006", "90097");
    /** MariaDB tells these apart by number only: database, table, column, routine denied; server or transaction read-only. */
    private static final Set<Integer> MARIADB_FORBIDDEN = Set.of(1044, 1142, 1143, 1370);

    private static final Set<Integer> MARIADB_READ_ONLY = Set.of(1290, 1792, 1836);

    private SqlErrors() {}

    /** Whether somebody else changed the same at the same time: serialization, deadlock, a key just taken. */
    static boolean isCollision(DatabaseException e) {
        return e.isRetryable() || e.sqlState().startsWith("23");
    }

    static DatabaseException explained(String what, Duration longest, DatabaseException e) {
        if (!(e.getCause() instanceof SQLException cause)) {
            return e;
        }
        String state = e.sqlState();
        if (TIMEOUT.contains(state)) {
            return new DatabaseException(
                    "could not " + what + " within " + longest.toSeconds()
                            + " s, so it was ended: narrow the filter by status, tenant, topic or time",
                    cause);
        }
        if (FORBIDDEN.contains(state) || MARIADB_FORBIDDEN.contains(cause.getErrorCode())) {
            return new DatabaseException(
                    "this database user may not " + what + " (" + cause.getMessage()
                            + "): connect as a user with the grants of the role relay, or have them granted",
                    cause);
        }
        if (READ_ONLY.contains(state) || MARIADB_READ_ONLY.contains(cause.getErrorCode())) {
            return new DatabaseException(
                    "could not " + what + ", because this database is read-only (" + cause.getMessage()
                            + "): connect to the primary, not to a replica",
                    cause);
        }
        return e;
    }
}
