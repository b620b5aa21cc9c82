package dev.postroom.jdbc.internal.operations;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What MariaDB and H2 share: seq is their primary key, and a hash in the column stream finds the rows of a stream. */
abstract class PortableOperationsSql implements OperationsSql {
    /** The column standing of what is ready to be sent, which is all that is in the state of this number too. */
    private static final int READY = 0;
    /** That of what its writer has delayed. */
    private static final int DELAYED = 3;
    /** That of all others: holding their stream, or not. */
    private static final List<Integer> NOT_READY = List.of(1, 2, 3);

    private static final String LIST = """
            SELECT m.*, (m.ordering_key IS NOT NULL AND NOT m.released AND {held}) AS held
            FROM (SELECT m.seq, m.id, m.stream, m.tenant, m.topic, m.ordering_key, m.type, m.state, m.released, m.attempts,
                      m.created_at, COALESCE(m.retry_at, m.available_at) AS due, m.reason, LEFT(m.error, 200) AS error,
                      {found} AS found
                  FROM ({source}) m
                  WHERE {where}
                  ORDER BY m.seq DESC
                  LIMIT ? OFFSET ?) m
            ORDER BY m.seq DESC
            """;

    private static final String COLUMNS = """
            m.seq, m.id, m.stream, m.tenant, m.topic, m.ordering_key, m.type, m.state, m.released, m.attempts,
            m.created_at, m.available_at, m.retry_at, m.failed_at, m.dead_at, m.reason, m.error
            """;

    private static final String NEWEST =
            "SELECT " + COLUMNS + " FROM postroom_message m {along PRIMARY} ORDER BY m.seq DESC LIMIT %d";

    private static final String OLDEST =
            "SELECT " + COLUMNS + " FROM postroom_message m {along PRIMARY} ORDER BY m.seq LIMIT %d";

    private static final String AFTER_OLDEST =
            "m.seq > (SELECT o.seq FROM postroom_message o {along PRIMARY} ORDER BY o.seq LIMIT 1 OFFSET %d)";

    private static final String IN_STATES = """
            SELECT %s FROM postroom_message m {along forward}
            WHERE m.state %s
            ORDER BY m.state, m.lane, m.seq
            """;

    /**
     * Whether the first holder of its stream comes before it. Not EXISTS, which MariaDB may turn into a join with all rows.
     * ORDER BY names all of the index: otherwise H2 sorts.
     */
    private static final String HELD = """
            (COALESCE((SELECT h.seq FROM postroom_message h {along stream}
                       WHERE h.standing = 1 AND h.stream = m.stream
                         AND h.tenant = m.tenant AND h.ordering_key = m.ordering_key
                       ORDER BY h.standing, h.stream, h.seq
                       LIMIT 1), m.seq) < m.seq)
            """;

    private static final String HOLDERS = """
            SELECT {columns} FROM postroom_message m {along stream}
            WHERE m.standing = 1 AND {where}
            ORDER BY m.standing, m.stream, m.seq
            """;

    private static final String BEHIND = """
            (SELECT w.seq FROM postroom_message w {along stream}
             WHERE w.standing = %d AND w.stream = f.stream AND w.seq > f.seq
               AND w.tenant = f.tenant AND w.ordering_key = f.ordering_key
             ORDER BY w.standing, w.stream, w.seq
             LIMIT 1) IS NOT NULL
            """;

    private static final String STREAMS_WAITED_IN =
            "SELECT COUNT(*) FROM ({held}) f WHERE " + BEHIND.formatted(READY) + " OR " + BEHIND.formatted(DELAYED);

    private static final String WAITING = """
            (SELECT 1 AS one FROM ({held}) f {join} postroom_message w {along stream}
                 ON w.standing = %d AND w.stream = f.stream AND w.seq > f.seq
                 AND w.tenant = f.tenant AND w.ordering_key = f.ordering_key
             LIMIT %d)
            """;

    private static final String READY_OF_STREAM = """
            SELECT {columns} FROM postroom_message m {along stream}
            WHERE m.standing = 0 AND {where}
            ORDER BY m.standing, m.stream, m.seq
            """;

    @Override
    public void setText(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        statement.setString(index, text);
    }

    @Override
    public String list() {
        return LIST.replace("{held}", HELD);
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
    public String inStates(String columns, List<Integer> states) {
        int first = Collections.min(states);
        int last = Collections.max(states);
        // From one to the same, MariaDB 10.11 reads all of them and sorts.
        return IN_STATES.formatted(columns, first == last ? "= " + first : "BETWEEN " + first + " AND " + last);
    }

    /** What is ready is most of a stream that is held, and newer than what holds it: left out where it cannot match. */
    @Override
    public List<Slice> ofStream(long place, List<Integer> states) {
        List<Integer> standings = new ArrayList<>(NOT_READY);
        if (states.contains(READY)) {
            standings.add(READY);
        }
        return standings.stream()
                .map(standing -> Slice.ofStream(standing, place))
                .toList();
    }

    @Override
    public List<UUID> select(Statements statements, List<Integer> states, Where where, int limit) throws SQLException {
        if (states.isEmpty()) {
            return List.of();
        }
        String index = states.contains(READY) ? "PRIMARY" : "forward";
        String select =
                "SELECT m.id FROM postroom_message m {along " + index + "} WHERE {where} ORDER BY m.seq LIMIT ?";
        return statements.all(where.in(select), where.values(limit), row -> MessageItems.id(row, "id"));
    }

    @Override
    public String held() {
        return HELD;
    }

    @Override
    public String heldAmongMany() {
        return HELD;
    }

    @Override
    public String holders(String columns) {
        return HOLDERS.replace("{columns}", columns);
    }

    @Override
    public String streamsWaitedIn(int most) {
        return STREAMS_WAITED_IN;
    }

    @Override
    public List<String> waiting(int most) {
        return Stream.of(READY, DELAYED)
                .map(standing -> WAITING.formatted(standing, most).replace("{join}", joinInOrder()))
                .toList();
    }

    /** Joins each row on the left with what an index finds for it on the right. */
    abstract String joinInOrder();

    @Override
    public String ready(String columns) {
        return READY_OF_STREAM.replace("{columns}", columns);
    }

    @Override
    public String inOrder() {
        return "m.seq";
    }

    @Override
    public long purgeArchive(Statements statements, PurgeRequest request) throws SQLException {
        return purge(statements, AgedTable.ARCHIVE, request);
    }

    /**
     * Keys that somebody takes again at this moment are left for the next time: who takes several could be waiting for one
     * that was purged already. Each is deleted by the whole of its key, because a list may be a scan, which waits too.
     */
    @Override
    public long purge(Statements statements, AgedTable aged, PurgeRequest request) throws SQLException {
        List<?> values = List.of(request.before(), request.limit());
        if (aged.key().isEmpty()) {
            return statements.update(purgeAll(aged), values);
        }
        List<List<String>> unused = statements.all(
                lockUnused(aged),
                values,
                row -> List.of(
                        row.getString(aged.key().get(0)),
                        row.getString(aged.key().get(1))));
        if (!unused.isEmpty()) {
            String key = String.join(" = ? AND ", aged.key()) + " = ?";
            statements.updateEach("DELETE FROM " + aged.table() + " WHERE " + key, unused);
        }
        return unused.size();
    }

    /**
     * Locks rows that are older than the first parameter, up to the number of the second, and tells their keys; passes over those that
     * somebody else has locked.
     */
    abstract String lockUnused(AgedTable aged);

    /** Deletes up to a number (second parameter) of rows that are older than the first. */
    abstract String purgeAll(AgedTable aged);

    /** The archive is one plain table. */
    @Override
    public void prepareArchive(Statements statements) {}
}
