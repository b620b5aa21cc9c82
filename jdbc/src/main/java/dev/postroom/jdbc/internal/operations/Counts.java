package dev.postroom.jdbc.internal.operations;

import java.sql.SQLException;
import java.util.List;

/** Counts exactly while that is cheap, and estimates above. */
final class Counts {
    static final String LIVE = "SELECT 1 AS one FROM postroom_message m WHERE {where}";
    static final String ARCHIVED = "SELECT 1 AS one FROM postroom_archive a WHERE {where}";

    static final String FOUND = "SELECT 1 AS one FROM ({source}) m WHERE {where}";
    static final String FOUND_ARCHIVED = "SELECT 1 AS one FROM ({source}) a WHERE {where}";

    private final OperationsSql sql;
    private final int exactUpTo;

    Counts(OperationsSql sql, int exactUpTo) {
        this.sql = sql;
        this.exactUpTo = exactUpTo;
    }

    record Count(long rows, boolean isExact) {}

    /** All rows that the SELECT looks at are to be rows that it returns. */
    Count count(Statements statements, String select, Where where) throws SQLException {
        long exact = upTo(statements, select, where, exactUpTo + 1);
        if (exact <= exactUpTo) {
            return new Count(exact, true);
        }
        return new Count(Math.max(exact, sql.estimate(statements, select, where)), false);
    }

    /** Of live rows in these states, which are next to each other. */
    Count inStates(Statements statements, List<Integer> states) throws SQLException {
        long exact = upTo(statements, sql.inStates("1 AS one", states), new Where(), exactUpTo + 1);
        if (exact <= exactUpTo) {
            return new Count(exact, true);
        }
        return new Count(Math.max(exact, sql.estimate(statements, LIVE, Filters.inStates(states))), false);
    }

    /** Looks at no more rows that match than the limit. */
    static long upTo(Statements statements, String select, Where where, int limit) throws SQLException {
        return statements.count("SELECT COUNT(*) FROM (" + where.in(select) + " LIMIT ?) x", where.values(limit));
    }
}
