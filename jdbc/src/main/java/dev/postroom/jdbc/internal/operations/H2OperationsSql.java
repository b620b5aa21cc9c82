package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.StorageFacts;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** H2. */
public final class H2OperationsSql extends PortableOperationsSql {
    private static final int COUNTED_AT_MOST = 100_000;

    private static final String DUE_TIMES = """
            SELECT MIN(x.first_due) AS first_due, MIN(x.next_due) AS next_due, MAX(x.latest_due) AS latest_due
            FROM (SELECT
                (SELECT m.due FROM postroom_message m WHERE m.lane = l.lane AND m.due IS NOT NULL
                 ORDER BY m.due LIMIT 1) AS first_due,
                (SELECT m.due FROM postroom_message m WHERE m.lane = l.lane AND m.due > ?
                 ORDER BY m.due LIMIT 1) AS next_due,
                (SELECT m.due FROM postroom_message m WHERE m.lane = l.lane AND m.due IS NOT NULL
                 ORDER BY m.due DESC LIMIT 1) AS latest_due
                FROM postroom_lane l) x
            """;

    @Override
    public Timestamps timestamps() {
        return Timestamps.WITH_TIME_ZONE;
    }

    @Override
    public void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
        statement.setObject(index, id);
    }

    @Override
    public Session.Setup limit(Duration longest) {
        return new Session.Setup(List.of("SET QUERY_TIMEOUT " + longest.toMillis()), List.of("SET QUERY_TIMEOUT 0"));
    }

    @Override
    public String now() {
        return "SELECT CURRENT_TIMESTAMP(6) AS db_now";
    }

    @Override
    public String along(Slice.Index index) {
        return "";
    }

    @Override
    public String placeOfStream() {
        return "SELECT ORA_HASH(CAST(? AS VARCHAR) || ':' || CAST(? AS VARCHAR) || ':' || CAST(? AS VARCHAR))";
    }

    @Override
    public String nearStream() {
        return "m.stream = ORA_HASH(CAST(? AS VARCHAR) || ':' || CAST(? AS VARCHAR) || ':' || CAST(? AS VARCHAR))";
    }

    @Override
    public String search() {
        return """
                CAST({t}.id AS VARCHAR) LIKE ? ESCAPE '!'
                OR LOWER({t}.topic) LIKE ? ESCAPE '!'
                OR LOWER({t}.ordering_key) LIKE ? ESCAPE '!'
                OR LOWER({t}.type) LIKE ? ESCAPE '!'
                OR LOWER({t}.error) LIKE ? ESCAPE '!'
                """;
    }

    @Override
    public String dueTimes() {
        return DUE_TIMES;
    }

    /**
     * H2 estimates nothing that can be asked for but the rows of a whole table. Within one process counting is fast, so it
     * goes on for a while before it is content with that.
     */
    @Override
    public long estimate(Statements statements, String select, Where where) throws SQLException {
        long counted = statements.count(
                "SELECT COUNT(*) FROM (" + where.in(select) + " LIMIT ?) x", where.values(COUNTED_AT_MOST));
        if (counted < COUNTED_AT_MOST) {
            return counted;
        }
        String table = select.equals(Counts.ARCHIVED) ? "archive" : "message";
        return Math.max(counted, H2Storage.rows(statements, table));
    }

    @Override
    public StorageFacts storage(Statements statements) throws SQLException {
        return H2Storage.ask(statements);
    }

    @Override
    public String purge(String table, String column) {
        return "DELETE FROM " + table + " WHERE " + column + " < ? FETCH FIRST ? ROWS ONLY";
    }
}
