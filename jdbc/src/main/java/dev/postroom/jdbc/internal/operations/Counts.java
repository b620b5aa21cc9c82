package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.MessagePage;
import java.sql.SQLException;

/** Counts exactly while that is cheap, and estimates above. */
final class Counts {
    static final String LIVE = "SELECT 1 AS one FROM postroom_message m WHERE {where}";
    static final String ARCHIVED = "SELECT 1 AS one FROM postroom_archive a WHERE {where}";

    static final String FOUND = "SELECT 1 AS one FROM ({source}) m WHERE {where}";
    static final String FOUND_ARCHIVED = "SELECT 1 AS one FROM ({source}) a WHERE {where}";

    private final OperationsSql sql;

    Counts(OperationsSql sql) {
        this.sql = sql;
    }

    record Count(long rows, boolean isExact) {}

    Count count(Statements statements, String select, Where where) throws SQLException {
        long exact = upTo(statements, select, where, MessagePage.EXACT_UP_TO + 1);
        if (exact <= MessagePage.EXACT_UP_TO) {
            return new Count(exact, true);
        }
        return new Count(Math.max(exact, sql.estimate(statements, select, where)), false);
    }

    /** Looks at no more rows that match than the limit. */
    long upTo(Statements statements, String select, Where where, int limit) throws SQLException {
        return statements.count("SELECT COUNT(*) FROM (" + where.in(select) + " LIMIT ?) x", where.values(limit));
    }
}
