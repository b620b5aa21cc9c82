package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.StorageFacts;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** MariaDB. */
public final class MariaDbOperationsSql extends PortableOperationsSql {
    private static final String DUE_TIMES = """
            SELECT MIN(x.first_due) AS first_due, MIN(x.next_due) AS next_due, MAX(x.latest_due) AS latest_due
            FROM (SELECT
                (SELECT m.due FROM postroom_message m WHERE m.due_lane = l.lane ORDER BY m.due LIMIT 1) AS first_due,
                (SELECT m.due FROM postroom_message m WHERE m.due_lane = l.lane AND m.due > ?
                 ORDER BY m.due LIMIT 1) AS next_due,
                (SELECT m.due FROM postroom_message m WHERE m.due_lane = l.lane ORDER BY m.due DESC LIMIT 1) AS latest_due
                FROM postroom_lane l) x
            """;

    @Override
    public Timestamps timestamps() {
        return Timestamps.UTC;
    }

    /** Ids are text there; the oldest version supported has no type for them. */
    @Override
    public void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
        statement.setString(index, id.toString());
    }

    @Override
    public Session.Setup limit(Duration longest) {
        return new Session.Setup(
                List.of(
                        "SET @postroom_limit = @@SESSION.max_statement_time",
                        "SET SESSION max_statement_time = " + longest.toMillis() / 1000.0),
                List.of("SET SESSION max_statement_time = @postroom_limit"));
    }

    @Override
    public String now() {
        return "SELECT UTC_TIMESTAMP(6) AS db_now";
    }

    @Override
    public String along(Slice.Index index) {
        return "FORCE INDEX (" + index.label + ")";
    }

    @Override
    public String placeOfStream() {
        return "SELECT CRC32(CONCAT(?, ':', ?, ':', ?))";
    }

    @Override
    public String nearStream() {
        return "m.stream = CRC32(CONCAT(?, ':', ?, ':', ?))";
    }

    @Override
    public String search() {
        return """
                CONVERT(LOWER({t}.id) USING utf8mb4) LIKE ? ESCAPE '!'
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

    /** The optimizer guesses how many rows it has to look at, and which share of them match. */
    @Override
    public long estimate(Statements statements, String select, Where where) throws SQLException {
        return statements.one("EXPLAIN EXTENDED " + where.in(select), where.values(), row ->
                (long) (row.getLong("rows") * row.getDouble("filtered") / 100));
    }

    @Override
    public StorageFacts storage(Statements statements) throws SQLException {
        return MariaDbStorage.ask(statements);
    }

    @Override
    public String purge(String table, String column) {
        return "DELETE FROM " + table + " WHERE " + column + " < ? ORDER BY " + column + " LIMIT ?";
    }
}
