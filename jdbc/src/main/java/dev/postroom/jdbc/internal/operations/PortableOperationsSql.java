package dev.postroom.jdbc.internal.operations;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What MariaDB and H2 share: seq is their primary key, and a hash in the column stream finds the rows of a stream. */
abstract class PortableOperationsSql implements OperationsSql {
    /** The values of the column standing: ready, holding, neither. */
    private static final int STANDINGS = 3;

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
            m.created_at, m.available_at, m.retry_at, m.reason, m.error
            """;

    private static final String NEWEST = "SELECT " + COLUMNS + " FROM postroom_message m ORDER BY m.seq DESC LIMIT %d";

    private static final String OLDEST = "SELECT " + COLUMNS + " FROM postroom_message m ORDER BY m.seq LIMIT %d";

    private static final String AFTER_OLDEST =
            "m.seq > (SELECT o.seq FROM postroom_message o ORDER BY o.seq LIMIT 1 OFFSET %d)";

    /** ORDER BY names all of the index: otherwise H2 sorts. */
    private static final String SLICE = """
            (SELECT {columns} FROM postroom_message m {hint}
             WHERE m.{first} = %d AND m.{second} = %d{floor}
             ORDER BY m.{first} DESC, m.{second} DESC, m.seq DESC
             LIMIT %d)
            """;

    private static final String HELD = """
            EXISTS (SELECT 1 FROM postroom_message h
                    WHERE h.stream = m.stream AND h.standing = 1 AND h.seq < m.seq
                      AND h.tenant = m.tenant AND h.topic = m.topic AND h.ordering_key = m.ordering_key)
            """;

    private static final String COUNT_SCHEDULED = """
            SELECT COUNT(*)
            FROM (SELECT 1 AS one FROM postroom_message m
                  WHERE m.state IN (1, 2) AND COALESCE(m.retry_at, m.available_at) > ?
                  LIMIT ?) x
            """;

    private static final String FAILURES = """
            SELECT m.id, m.topic, m.reason, LEFT(m.error, 1000) AS error, m.state,
                COALESCE(m.failed_at, m.dead_at, m.created_at) AS failed
            FROM postroom_message m
            WHERE m.state IN (2, 3) AND (m.state = 3 OR m.attempts > 0)
            ORDER BY m.seq DESC
            LIMIT ?
            """;

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
    public String slices(List<Slice> slices, String columns, OptionalLong floor) {
        Slice.Index index = slices.get(0).index();
        String slice = SLICE.replace("{columns}", columns)
                .replace("{hint}", along(index))
                .replace("{first}", index.first)
                .replace("{second}", index.second)
                .replace("{floor}", floor.isPresent() ? " AND m.seq >= " + floor.getAsLong() : "");
        return slices.stream()
                .map(each -> slice.formatted(each.first(), each.second(), each.most()))
                .collect(Collectors.joining("UNION ALL "));
    }

    @Override
    public List<Slice> ofStream(long place, List<Integer> states) {
        return IntStream.range(0, STANDINGS)
                .mapToObj(standing -> Slice.ofStream(place, standing))
                .toList();
    }

    @Override
    public List<UUID> select(Statements statements, List<Integer> states, Where where, int limit) throws SQLException {
        if (states.isEmpty()) {
            return List.of();
        }
        String select = "SELECT m.id FROM postroom_message m " + (states.contains(0) ? "" : along(Slice.Index.FORWARD))
                + " WHERE {where} ORDER BY m.seq LIMIT ?";
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
    public String countScheduled() {
        return COUNT_SCHEDULED;
    }

    @Override
    public String failures() {
        return FAILURES;
    }

    @Override
    public long purgeArchive(Statements statements, PurgeRequest request) throws SQLException {
        return statements.update(purge("postroom_archive", "archived_at"), List.of(request.before(), request.limit()));
    }

    /** The archive is one plain table. */
    @Override
    public void prepareArchive(Statements statements) {}
}
