package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.PostgresSettings;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.StorageFacts;
import dev.postroom.spi.LaneStore;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgreSQL. */
public final class PostgresOperationsSql implements OperationsSql {
    /** A partition never analysed says it is empty, and the next one is looked at as well. */
    private static final int MOST_DAYS = 31;

    private static final Pattern PLANNED_ROWS = Pattern.compile("rows=(\\d+)");

    private static final String LIST = """
            SELECT m.*, (m.ordering_key IS NOT NULL AND NOT m.released AND {held}) AS held
            FROM (SELECT m.tx, m.seq, m.id, m.stream, m.tenant, m.topic, m.ordering_key, m.type, m.state, m.released, m.attempts,
                      m.created_at, coalesce(m.retry_at, m.available_at) AS due, m.reason, left(m.error, 200) AS error,
                      {found} AS found
                  FROM ({source}) m
                  WHERE {where}
                  ORDER BY m.tx DESC, m.seq DESC
                  LIMIT ? OFFSET ?) m
            ORDER BY m.tx DESC, m.seq DESC
            """;

    private static final String COLUMNS = """
            m.tx, m.seq, m.id, m.stream, m.tenant, m.topic, m.ordering_key, m.type, m.state, m.released, m.attempts, m.created_at,
            m.available_at, m.retry_at, m.failed_at, m.dead_at, m.reason, m.error
            """;

    /** There is no index on seq alone; that on (tx, seq) serves as well and is there for the relay anyway. */
    private static final String NEWEST =
            "SELECT " + COLUMNS + " FROM postroom_message m ORDER BY m.tx DESC, m.seq DESC LIMIT %d";

    private static final String OLDEST = "SELECT " + COLUMNS + " FROM postroom_message m ORDER BY m.tx, m.seq LIMIT %d";

    private static final String AFTER_OLDEST = """
            (m.tx, m.seq) > (SELECT o.tx, o.seq FROM postroom_message o ORDER BY o.tx, o.seq LIMIT 1 OFFSET %d)
            """;

    /** One plan for all slices, where a UNION ALL of them would take longer to plan than to run. */
    private static final String SLICES = """
            SELECT m.*
            FROM (VALUES {slices}) s(state, lane, most)
            CROSS JOIN LATERAL (
                SELECT {columns} FROM postroom_message m
                WHERE m.state = s.state AND m.lane = s.lane{floor}
                ORDER BY m.seq DESC
                LIMIT s.most) m
            """;

    /** Lane by lane behind a fence: what else is asked for must not lead the planner along another index. */
    private static final String SELECT = """
            SELECT m.id
            FROM (VALUES {slices}) s(state, lane, most)
            CROSS JOIN LATERAL (
                SELECT m.id, m.tx, m.seq
                FROM (SELECT m.* FROM postroom_message m
                      WHERE m.state = s.state AND m.lane = s.lane
                      ORDER BY m.seq OFFSET 0) m
                WHERE {where}
                LIMIT s.most) m
            ORDER BY m.tx, m.seq
            LIMIT ?
            """;

    private static final String LANE_OF_STREAM = """
            (SELECT postroom_lane_of(k.tenant, postroom_stream_of(k.tenant, k.ordering_key), NULL::uuid)
             FROM (VALUES (?::text, ?::text)) k(tenant, ordering_key))""";

    private static final String HELD = """
            EXISTS (SELECT 1 FROM postroom_message h
                    WHERE h.stream = m.stream
                      AND h.tenant = m.tenant AND h.ordering_key = m.ordering_key
                      AND h.seq < m.seq AND h.state >= 2 AND h.holds AND NOT h.released AND h.ordering_key IS NOT NULL{fence})
            """;

    /** Keeps a look-up a look-up: a join, or a hash of all rows, would go through what may be a million. */
    private static final String FENCE = " OFFSET 0";

    private static final String PURGE = """
            DELETE FROM {table} t
            WHERE t.ctid = ANY (ARRAY(SELECT o.ctid FROM {table} o WHERE o.{column} < ? ORDER BY o.{column} LIMIT ?))
            """;

    /**
     * Both sides name the time, so that younger partitions are not looked at. By place alone, which is a look-up, where a
     * join may read all rows; oldest first. What lies at the same place in another partition goes too, and is old enough itself.
     */
    private static final String PURGE_ROWS = """
            DELETE FROM postroom_archive a
            WHERE a.archived_at < ?
              AND a.ctid = ANY (ARRAY(SELECT o.ctid FROM postroom_archive o WHERE o.archived_at < ?
                                   ORDER BY o.seq LIMIT ?))
            """;

    private static final String DUE_TIMES = """
            SELECT min(x.first_due) AS first_due, min(x.next_due) AS next_due, max(x.latest_due) AS latest_due
            FROM (SELECT
                (SELECT greatest(coalesce(m.retry_at, m.available_at), 'epoch') FROM postroom_message m
                 WHERE m.state IN (1, 2) AND m.lane = l.lane
                 ORDER BY greatest(coalesce(m.retry_at, m.available_at), 'epoch') LIMIT 1) AS first_due,
                (SELECT greatest(coalesce(m.retry_at, m.available_at), 'epoch') FROM postroom_message m
                 WHERE m.state IN (1, 2) AND m.lane = l.lane AND greatest(coalesce(m.retry_at, m.available_at), 'epoch') > ?
                 ORDER BY greatest(coalesce(m.retry_at, m.available_at), 'epoch') LIMIT 1) AS next_due,
                (SELECT greatest(coalesce(m.retry_at, m.available_at), 'epoch') FROM postroom_message m
                 WHERE m.state IN (1, 2) AND m.lane = l.lane
                 ORDER BY greatest(coalesce(m.retry_at, m.available_at), 'epoch') DESC LIMIT 1) AS latest_due
                FROM postroom_lane l) x
            """;

    /** Lane by lane, along the index by due time. */
    private static final String SCHEDULED = """
            SELECT 1 AS one
            FROM postroom_lane l
            CROSS JOIN LATERAL (
                SELECT 1 FROM postroom_message m
                WHERE m.state IN (1, 2) AND m.lane = l.lane AND greatest(coalesce(m.retry_at, m.available_at), 'epoch') > ?
                ORDER BY greatest(coalesce(m.retry_at, m.available_at), 'epoch')
                LIMIT 10001) s
            """;

    /** In the order of the index, or the planner reads the table in the hope of meeting holders soon. */
    private static final String HOLDERS = """
            SELECT {columns} FROM postroom_message m
            WHERE m.state >= 2 AND m.holds AND NOT m.released AND m.ordering_key IS NOT NULL AND {where}
            ORDER BY m.stream, m.seq
            """;

    /** What failed holds its stream itself, and is among what was looked at already; beyond that the limit ends it. */
    private static final String BEHIND = """
            SELECT w.state FROM postroom_message w
            WHERE w.stream = f.stream AND w.seq > f.seq AND w.tenant = f.tenant AND w.ordering_key = f.ordering_key
              AND w.ordering_key IS NOT NULL AND w.holds AND NOT w.released
            ORDER BY w.stream, w.seq
            LIMIT %d
            """;

    private static final String STREAMS_WAITED_IN = "SELECT COUNT(*) FROM ({held}) f WHERE EXISTS (SELECT 1 FROM ("
            + BEHIND + ") w WHERE w.state < 2 OFFSET 0)";

    private static final String WAITING =
            "(SELECT 1 AS one FROM ({held}) f CROSS JOIN LATERAL (" + BEHIND + ") w WHERE w.state < 2 LIMIT %d)";

    /** The index has delayed rows too, which hold nobody before they are due. */
    private static final String READY_OF_STREAM = """
            SELECT {columns}
            FROM (SELECT m.* FROM postroom_message m
                  WHERE m.holds AND NOT m.released AND m.ordering_key IS NOT NULL AND {where}
                  ORDER BY m.stream, m.seq
                  LIMIT 100) m
            WHERE m.state = 0
            ORDER BY m.seq
            """;

    @Override
    public Timestamps timestamps() {
        return Timestamps.WITH_TIME_ZONE;
    }

    @Override
    public void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
        statement.setObject(index, id);
    }

    /** Of no type, which becomes the column's: the driver would say varchar, for which a stranger may have made an operator. */
    @Override
    public void setText(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        statement.setObject(index, text, Types.OTHER);
    }

    /**
     * Statements walk along an index and stop at their limit. With old statistics, which promise few rows, the planner would
     * collect and sort all of them instead.
     */
    @Override
    public Session.Setup limit(Duration longest) {
        return PostgresSettings.of(
                "statement_timeout = " + longest.toMillis(), "enable_seqscan = off", "enable_bitmapscan = off");
    }

    @Override
    public String now() {
        return "SELECT clock_timestamp() AS db_now";
    }

    @Override
    public String list() {
        return LIST.replace("{held}", held());
    }

    @Override
    public String columns() {
        return COLUMNS;
    }

    @Override
    public String newest(int most) {
        return NEWEST.formatted(most);
    }

    @Override
    public String oldest(int most) {
        return OLDEST.formatted(most);
    }

    @Override
    public String afterOldest(int most) {
        return AFTER_OLDEST.formatted(most - 1);
    }

    @Override
    public String archived() {
        return Counts.ARCHIVED + " ORDER BY a.seq";
    }

    @Override
    public String along(String index) {
        return "";
    }

    @Override
    public List<Extent> extents(Statements statements, List<Slice> slices) throws SQLException {
        String columns = Extent.columns(slices.get(0).index());
        return Extent.of(slices, lateral(slices, columns, OptionalLong.empty()), statements);
    }

    @Override
    public String slices(List<Slice> slices, OptionalLong floor) {
        return lateral(slices, COLUMNS, floor);
    }

    private static String lateral(List<Slice> slices, String columns, OptionalLong floor) {
        return SLICES.replace("{slices}", values(slices))
                .replace("{columns}", columns)
                .replace("{floor}", floor.isPresent() ? " AND m.seq >= " + floor.getAsLong() : "");
    }

    private static String values(List<Slice> slices) {
        return slices.stream()
                .map(slice -> "(%d, %d, %d)".formatted(slice.first(), slice.second(), slice.most()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String placeOfStream() {
        return "SELECT " + LANE_OF_STREAM;
    }

    @Override
    public List<Slice> ofStream(long place, List<Integer> states) {
        return states.stream().map(state -> Slice.ofLane(state, place)).toList();
    }

    @Override
    public List<UUID> select(Statements statements, List<Integer> states, Where where, int limit) throws SQLException {
        if (states.contains(0)) {
            String walk = "SELECT m.id FROM postroom_message m WHERE {where} ORDER BY m.tx, m.seq LIMIT ?";
            return statements.all(where.in(walk), where.values(limit), row -> MessageItems.id(row, "id"));
        }
        return states.isEmpty()
                ? List.of()
                : statements.all(
                        where.in(SELECT.replace("{slices}", values(allLanes(states, limit)))),
                        where.values(limit),
                        row -> MessageItems.id(row, "id"));
    }

    private static List<Slice> allLanes(List<Integer> states, int most) {
        List<Slice> slices = new ArrayList<>();
        for (int lane = 0; lane < LaneStore.LANES; lane++) {
            for (int state : states) {
                slices.add(Slice.ofLane(state, lane).withMost(most));
            }
        }
        return slices;
    }

    /** Lane by lane: asked for a state alone, the planner reads the table in the hope of meeting such rows soon. */
    @Override
    public String inStates(String columns, List<Integer> states) {
        return lateral(allLanes(states, Integer.MAX_VALUE), columns, OptionalLong.empty());
    }

    @Override
    public String fence() {
        return FENCE;
    }

    @Override
    public String held() {
        return HELD.replace("{fence}", FENCE);
    }

    @Override
    public String heldAmongMany() {
        return HELD.replace("{fence}", "");
    }

    @Override
    public String nearStream() {
        return "m.state IN (0, 1, 2, 3) AND m.lane = " + LANE_OF_STREAM;
    }

    @Override
    public String nearHolders() {
        return "m.stream = postroom_stream_of(?::text, ?::text)";
    }

    @Override
    public String search() {
        return """
                CAST({t}.id AS text) LIKE ? ESCAPE '!'
                OR lower({t}.topic COLLATE "default") LIKE ? ESCAPE '!'
                OR lower({t}.ordering_key COLLATE "default") LIKE ? ESCAPE '!'
                OR lower({t}.type COLLATE "default") LIKE ? ESCAPE '!'
                """;
    }

    @Override
    public String containsExpression(String column) {
        return "CAST(" + column + " AS text) ~ ?";
    }

    @Override
    public String holders(String columns) {
        return HOLDERS.replace("{columns}", columns);
    }

    @Override
    public String streamsWaitedIn(int most) {
        return STREAMS_WAITED_IN.formatted(most);
    }

    @Override
    public List<String> waiting(int most) {
        return List.of(WAITING.formatted(most, most));
    }

    @Override
    public String ready(String columns) {
        return READY_OF_STREAM.replace("{columns}", columns);
    }

    @Override
    public String inOrder() {
        return "m.tx, m.seq";
    }

    @Override
    public DueTimes dueTimes(Statements statements) throws SQLException {
        return DueTimes.ask(statements, DUE_TIMES, List.of(statements.now()));
    }

    @Override
    public String scheduled() {
        return SCHEDULED;
    }

    /** The planner knows, from its statistics and the table's size now. */
    @Override
    public long estimate(Statements statements, String select, Where where) throws SQLException {
        String plan = statements.one("EXPLAIN " + where.in(select), where.values(), row -> row.getString(1));
        Matcher rows = PLANNED_ROWS.matcher(plan);
        return rows.find() ? Long.parseLong(rows.group(1)) : 0;
    }

    @Override
    public long estimate(Statements statements, String select, Where where, Sample sample) throws SQLException {
        return estimate(statements, select, where);
    }

    /** Whole days first; then row by row what no daily partition took, and the day that the cutoff lies in. */
    @Override
    public long purgeArchive(Statements statements, PurgeRequest request) throws SQLException {
        long dropped = 0;
        for (int day = 0; day < MOST_DAYS && dropped == 0; day++) {
            dropped = statements.count(
                    "SELECT postroom_archive_drop(pg_catalog.make_interval(secs => ?))",
                    List.of(request.olderThan().toMillis() / 1000.0));
        }
        return dropped > 0
                ? dropped
                : statements.update(PURGE_ROWS, List.of(request.before(), request.before(), request.limit()));
    }

    @Override
    public long purgeAudit(Statements statements, PurgeRequest request) throws SQLException {
        return statements.count(
                "SELECT postroom_audit_purge(pg_catalog.make_interval(secs => ?), ?)",
                List.of(request.olderThan().toMillis() / 1000.0, request.limit()));
    }

    @Override
    public void prepareArchive(Statements statements) throws SQLException {
        statements.count("SELECT postroom_archive_prepare()", List.of());
    }

    @Override
    public StorageFacts storage(Statements statements) throws SQLException {
        return PostgresStorage.ask(statements);
    }

    @Override
    public long purge(Statements statements, AgedTable aged, PurgeRequest request) throws SQLException {
        return statements.update(
                PURGE.replace("{table}", aged.table()).replace("{column}", aged.time()),
                List.of(request.before(), request.limit()));
    }
}
