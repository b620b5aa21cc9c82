package dev.postroom.jdbc.internal;

import dev.postroom.DatabaseException;
import dev.postroom.RefusedDataException;
import java.sql.SQLException;
import java.util.Set;

/** Tells a statement that was refused for the values in it from every other failure of a database. */
final class Refusals {
    /** Data exception, integrity constraint violation, program limit exceeded (an index entry too long). */
    private static final Set<String> CLASSES = Set.of("22", "23", "54");

    /**
     * MariaDB gives these a general state, or that of another kind of error: a row that is too long for its page (139, 1118),
     * text that is not of the column's character set (1366), and a value or a batch that is longer than one packet (1153,
     * 1301), of which a part may go through. Its numbers are below those of other databases' that mean something else, so
     * they count only with its general states.
     */
    private static final Set<Integer> MARIADB = Set.of(139, 1118, 1153, 1301, 1366);

    private static final Set<String> MARIADB_STATES = Set.of("HY000", "42000", "08S01");

    /** MariaDB: a binary log of statements cannot tell what was written at READ COMMITTED. */
    private static final int UNLOGGABLE = 1665;

    private Refusals() {}

    static DatabaseException explained(String what, SQLException e) {
        String text = "could not " + what + ": " + e.getMessage()
                + (isUnloggable(e) ? ". Set binlog_format to MIXED, its default, or to ROW" : "");
        return isData(e) ? new RefusedDataException(text, e) : new DatabaseException(text, e);
    }

    private static boolean isUnloggable(SQLException e) {
        return e.getErrorCode() == UNLOGGABLE && MARIADB_STATES.contains(String.valueOf(e.getSQLState()));
    }

    static boolean isData(SQLException e) {
        String state = e.getSQLState();
        if (state == null || state.length() < 2) {
            return false;
        }
        return CLASSES.contains(state.substring(0, 2))
                || (MARIADB_STATES.contains(state) && MARIADB.contains(e.getErrorCode()));
    }
}
