package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.StorageFacts;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;

/** H2. */
public final class H2OperationsSql extends PortableOperationsSql {
    private static final int COUNTED = 100_000;

    private static final String DUE_TIMES = """
            SELECT MIN(x.first_due) AS first_due, MIN(x.next_due) AS next_due, MAX(x.latest_due) AS latest_due
            FROM (SELECT
                (SELECT m.due FROM postroom_message m WHERE m.lane = l.lane AND m.due IS NOT NULL
                 ORDER BY m.lane, m.due, m.seq LIMIT 1) AS first_due,
                (SELECT m.due FROM postroom_message m WHERE m.lane = l.lane AND m.due > ?
                 ORDER BY m.lane, m.due, m.seq LIMIT 1) AS next_due,
                (SELECT m.due FROM postroom_message m WHERE m.lane = l.lane AND m.due IS NOT NULL
                 ORDER BY m.lane DESC, m.due DESC, m.seq DESC LIMIT 1) AS latest_due
                FROM postroom_lane l) x
            """;

    /** As the column {@code stream} has it. */
    private static final String STREAM = """
            (SELECT CAST(SUBSTRING(HASH('SHA-256', STRINGTOUTF8(CHAR_LENGTH(k.tenant) || ':' || k.tenant || k.ordering_key)) FROM 1 FOR 8)
                 AS BIGINT)
             FROM (VALUES (CAST(? AS VARCHAR), CAST(? AS VARCHAR))) k (tenant, ordering_key))""";

    private static final String SCHEDULED =
            "SELECT 1 AS one FROM postroom_lane l JOIN postroom_message m ON m.lane = l.lane AND m.due > ?";

    private static final String EXTENT = """
            SELECT COUNT(*) AS looked_at, MIN(m.seq) AS lowest, MAX(m.seq) AS highest
            FROM (SELECT m.seq FROM postroom_message m
                  WHERE m.{first} = ? AND m.{second} = ?
                  ORDER BY m.{first} DESC, m.{second} DESC, m.seq DESC
                  LIMIT ?) m
            """;

    /** A join, because H2 parses and plans a UNION ALL of many again for each SELECT around it, which takes seconds. */
    private static final String SLICES = """
            SELECT {columns}
            FROM (VALUES {slices}) s(first_part, second_part)
            JOIN postroom_message m ON m.{first} = s.first_part AND m.{second} = s.second_part{floor}
            """;

    private final int counted;

    public H2OperationsSql() {
        this(COUNTED);
    }

    /** Counts so many rows before it estimates. */
    H2OperationsSql(int counted) {
        this.counted = counted;
    }

    @Override
    public Timestamps timestamps() {
        return Timestamps.WITH_ANY_YEAR;
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

    /** With the caller's own right to delete, the only one that there is. */
    @Override
    public long purgeAudit(Statements statements, PurgeRequest request) throws SQLException {
        return purge(statements, AgedTable.AUDIT, request);
    }

    @Override
    public String along(String index) {
        return "";
    }

    /** One by one: a statement costs no round trip. */
    @Override
    public List<Extent> extents(Statements statements, List<Slice> slices) throws SQLException {
        List<Extent> extents = new ArrayList<>();
        for (Slice slice : slices) {
            String extent = EXTENT.replace("{first}", slice.index().first).replace("{second}", slice.index().second);
            List<Object> values = List.of(slice.first(), slice.second(), slice.most());
            extents.add(statements.one(extent, values, row -> Extent.of(slice, row)));
        }
        extents.removeIf(extent -> extent.rows() == 0);
        return extents;
    }

    @Override
    public String slices(List<Slice> slices, OptionalLong floor) {
        Slice.Index index = slices.get(0).index();
        String values = slices.stream()
                .map(slice -> "(%d, %d)".formatted(slice.first(), slice.second()))
                .collect(Collectors.joining(", "));
        return SLICES.replace("{columns}", columns())
                .replace("{slices}", values)
                .replace("{first}", index.first)
                .replace("{second}", index.second)
                .replace("{floor}", floor.isPresent() ? " AND m.seq >= " + floor.getAsLong() : "");
    }

    @Override
    public String placeOfStream() {
        return "SELECT " + STREAM;
    }

    @Override
    public String nearStream() {
        return "m.stream = " + STREAM;
    }

    @Override
    public String search() {
        return """
                CAST({t}.id AS VARCHAR) LIKE ? ESCAPE '!'
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
        return DueTimes.ask(statements, DUE_TIMES, List.of(statements.now()));
    }

    @Override
    public String scheduled() {
        return SCHEDULED;
    }

    /**
     * H2 estimates nothing that can be asked for but the rows of a whole table. Within one process counting is fast, so it
     * goes on for a while before it is content with that.
     */
    @Override
    public long estimate(Statements statements, String select, Where where) throws SQLException {
        long found = Counts.upTo(statements, select, where, counted);
        return found < counted ? found : Math.max(found, H2Storage.rows(statements, "message"));
    }

    /** As many of all as of those that were looked at. */
    @Override
    public long estimate(Statements statements, String select, Where where, Sample sample) throws SQLException {
        long all = sample.lookedAt();
        if (select.equals(Counts.ARCHIVED)) {
            all = H2Storage.rows(statements, "archive");
        } else if (!sample.states().isEmpty()) {
            all = estimate(statements, Counts.LIVE, Filters.inStates(sample.states()));
        }
        return (long) ((double) all / sample.lookedAt() * sample.matching());
    }

    @Override
    public StorageFacts storage(Statements statements) throws SQLException {
        return H2Storage.ask(statements);
    }

    @Override
    String joinInOrder() {
        return "JOIN";
    }

    @Override
    String lockUnused(AgedTable aged) {
        return "SELECT " + String.join(", ", aged.key()) + " FROM " + aged.table() + " WHERE " + aged.time()
                + " < ? ORDER BY " + aged.time() + " FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED";
    }

    @Override
    String purgeAll(AgedTable aged) {
        return "DELETE FROM " + aged.table() + " WHERE " + aged.time() + " < ? FETCH FIRST ? ROWS ONLY";
    }
}
