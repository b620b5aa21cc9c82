package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.JsonList;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.StorageFacts;
import dev.postroom.spi.LaneStore;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** MariaDB. */
public final class MariaDbOperationsSql extends PortableOperationsSql {
    private static final String LANES =
            IntStream.range(0, LaneStore.LANES).mapToObj(String::valueOf).collect(Collectors.joining(", "));

    private static final String SLICE = """
            (SELECT {columns} FROM postroom_message m {along %s}
             WHERE m.{first} = %d AND m.{second} = %d{floor}
             ORDER BY m.{first} DESC, m.{second} DESC, m.seq DESC
             LIMIT %d)
            """;

    private static final String DUE_TIMES = """
            SELECT MIN(x.first_due) AS first_due, MAX(x.latest_due) AS latest_due,
                (SELECT MIN(n.due) FROM ({next}) n) AS next_due
            FROM (SELECT
                (SELECT m.due FROM postroom_message m {along due}
                 WHERE m.due_lane = l.lane ORDER BY m.due LIMIT 1) AS first_due,
                (SELECT m.due FROM postroom_message m {along due}
                 WHERE m.due_lane = l.lane ORDER BY m.due DESC LIMIT 1) AS latest_due
                FROM postroom_lane l) x
            """;

    /** With the lane as a constant, MariaDB goes right to the place; compared with a column, it would walk there. */
    private static final String NEXT_DUE = """
            (SELECT m.due FROM postroom_message m {along due}
             WHERE m.due_lane = %d AND m.due > ?
             ORDER BY m.due
             LIMIT 1)
            """;

    /** As the column {@code stream} has it. */
    private static final String STREAM = """
            (SELECT CAST(CAST(CONV(LEFT(SHA2(CONCAT(CHAR_LENGTH(k.tenant), _utf8mb4':', k.tenant, k.ordering_key), 256), 16), 16, 10)
                 AS UNSIGNED) AS SIGNED)
             FROM (SELECT CONVERT(? USING utf8mb4) AS tenant, CONVERT(? USING utf8mb4) AS ordering_key) k)""";

    /** A number may be another message's by now. */
    private static final String LOCK = "SELECT m.id FROM " + JsonList.SEQS
            + " STRAIGHT_JOIN postroom_message m {along PRIMARY} ON m.seq = k.seq WHERE {where} FOR UPDATE";

    /**
     * Found without locks, and locked by their keys alone. A locking read along the index of times would meet a row that a producer is
     * just inserting, and leave that producer a lock of its own there; if its statement is then undone, because a key was taken, InnoDB
     * makes the lock one on the gap behind all others, and two producers with such locks lose a transaction to a deadlock.
     */
    private static final String LOCK_UNUSED = """
            SELECT {keys}
            FROM (SELECT {key} FROM {table} {along {index}} WHERE {time} < ? ORDER BY {time} LIMIT ?) k
            STRAIGHT_JOIN {table} d {along PRIMARY} ON {same key}
            FOR UPDATE SKIP LOCKED
            """;

    private static final String SCHEDULED =
            "SELECT 1 AS one FROM postroom_message m {along due} WHERE m.due_lane IN (" + LANES + ") AND m.due > ?";

    @Override
    public Timestamps timestamps() {
        return Timestamps.UTC;
    }

    /** Ids are text there; the oldest version supported has no type for them. */
    @Override
    public void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
        statement.setString(index, id.toString());
    }

    /** READ COMMITTED, as for relays: the default would lock the gaps where producers insert. */
    @Override
    public Session.Setup limit(Duration longest) {
        return new Session.Setup(
                List.of(
                        "SET @postroom_isolation = @@SESSION.tx_isolation, @postroom_limit = @@SESSION.max_statement_time,"
                                + " @postroom_autocommit = @@SESSION.autocommit",
                        // The driver may be wrong about auto-commit until it is set, and would then not roll back.
                        "SET SESSION tx_isolation = 'READ-COMMITTED', SESSION autocommit = 1, SESSION max_statement_time = "
                                + longest.toMillis() / 1000.0),
                List.of("SET SESSION tx_isolation = @postroom_isolation, SESSION max_statement_time = @postroom_limit,"
                        + " SESSION autocommit = @postroom_autocommit"));
    }

    @Override
    public String now() {
        return "SELECT UTC_TIMESTAMP(6) AS db_now";
    }

    /** Always told: the optimizer's statistics may be of a table that was empty, with which it reads all rows for one. */
    @Override
    public long purgeAudit(Statements statements, PurgeRequest request) throws SQLException {
        return statements.count(
                "CALL postroom_audit_purge(?, ?)", List.of(request.olderThan().toSeconds(), request.limit()));
    }

    @Override
    public String along(String index) {
        return "FORCE INDEX (" + index + ")";
    }

    @Override
    public List<Extent> extents(Statements statements, List<Slice> slices) throws SQLException {
        String columns = Extent.columns(slices.get(0).index());
        return Extent.of(slices, union(slices, columns, OptionalLong.empty()), statements);
    }

    @Override
    public String slices(List<Slice> slices, OptionalLong floor) {
        return union(slices, columns(), floor);
    }

    private static String union(List<Slice> slices, String columns, OptionalLong floor) {
        Slice.Index index = slices.get(0).index();
        String slice = SLICE.replace("{columns}", columns)
                .replace("{first}", index.first)
                .replace("{second}", index.second)
                .replace("{floor}", floor.isPresent() ? " AND m.seq >= " + floor.getAsLong() : "");
        return slices.stream()
                .map(each -> slice.formatted(index.label, each.first(), each.second(), each.most()))
                .collect(Collectors.joining("UNION ALL "));
    }

    @Override
    public String placeOfStream() {
        return "SELECT " + STREAM;
    }

    @Override
    public String nearStream() {
        return "m.standing IN (0, 1, 2, 3) AND m.stream = " + STREAM;
    }

    @Override
    public String search() {
        return """
                CONVERT(LOWER({t}.id) USING utf8mb4) LIKE ? ESCAPE '!'
                OR LOWER({t}.topic) LIKE ? ESCAPE '!'
                OR LOWER({t}.ordering_key) LIKE ? ESCAPE '!'
                OR LOWER({t}.type) LIKE ? ESCAPE '!'
                """;
    }

    @Override
    public String containsExpression(String column) {
        return column + " REGEXP ?";
    }

    @Override
    public DueTimes dueTimes(Statements statements) throws SQLException {
        String next = IntStream.range(0, LaneStore.LANES)
                .mapToObj(NEXT_DUE::formatted)
                .collect(Collectors.joining("UNION ALL "));
        return DueTimes.ask(
                statements, DUE_TIMES.replace("{next}", next), Collections.nCopies(LaneStore.LANES, statements.now()));
    }

    @Override
    public String scheduled() {
        return SCHEDULED;
    }

    /** The optimizer guesses how many rows it has to look at, and which share of them match. */
    @Override
    public long estimate(Statements statements, String select, Where where) throws SQLException {
        return statements.one("EXPLAIN EXTENDED " + where.in(select), where.values(), row ->
                (long) (row.getLong("rows") * row.getDouble("filtered") / 100));
    }

    @Override
    public long estimate(Statements statements, String select, Where where, Sample sample) throws SQLException {
        return estimate(statements, select, where);
    }

    @Override
    public StorageFacts storage(Statements statements) throws SQLException {
        return MariaDbStorage.ask(statements);
    }

    /** By their numbers, as relays do, so that the two do not wait for each other crosswise. */
    @Override
    public List<UUID> lock(Statements statements, List<UUID> ids, String condition) throws SQLException {
        Where chosen = new Where().andIn("m.id", ids);
        List<Long> seqs = statements.all(
                chosen.in("SELECT m.seq FROM postroom_message m {along id} WHERE {where} ORDER BY m.seq"),
                chosen.values(),
                row -> row.getLong("seq"));
        Where fitting = new Where().andIn("m.id", ids).and(condition);
        return statements.all(
                fitting.in(LOCK),
                fitting.values(List.of(JsonList.of(seqs)), List.of()),
                row -> MessageItems.id(row, "id"));
    }

    @Override
    String joinInOrder() {
        return "STRAIGHT_JOIN";
    }

    @Override
    String lockUnused(AgedTable aged) {
        List<String> columns = aged.key().stream().map("d."::concat).toList();
        return LOCK_UNUSED
                .replace("{keys}", String.join(", ", columns))
                .replace("{key}", String.join(", ", aged.key()))
                .replace("{table}", aged.table())
                .replace("{index}", aged.index())
                .replace("{time}", aged.time())
                .replace(
                        "{same key}",
                        aged.key().stream()
                                .map(column -> "d." + column + " = k." + column)
                                .collect(Collectors.joining(" AND ")));
    }

    @Override
    String purgeAll(AgedTable aged) {
        return "DELETE FROM " + aged.table() + " WHERE " + aged.time() + " < ? ORDER BY " + aged.time() + " LIMIT ?";
    }
}
