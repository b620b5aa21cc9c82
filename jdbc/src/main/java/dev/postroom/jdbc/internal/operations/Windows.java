package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.LaneStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Chooses the rows that a list looks at: the newest that can match, so that a filter that matches little does not walk
 * through the whole backlog for it.
 */
final class Windows {
    /** A stream shares its lane with others: twice as far, all of it is found with a million messages waiting. */
    private static final int ONE_LANE = 2;

    private static final Pattern ID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private static final String ARCHIVED = """
            SELECT a.id, a.seq, a.tenant, a.topic, a.ordering_key, a.type, a.outcome, a.attempts, a.created_at,
                a.archived_at, a.reason, a.error
            FROM postroom_archive a {along %s}
            """;

    /** One row of each, so that no database can turn it into a scan. */
    private static final String FILLED = """
            SELECT x.state, x.lane
            FROM (SELECT s.state, l.lane,
                      (SELECT m.seq FROM postroom_message m {along forward}
                       WHERE m.state = s.state AND m.lane = l.lane
                       ORDER BY m.state DESC, m.lane DESC, m.seq DESC
                       LIMIT 1) AS seq
                  FROM postroom_lane l
                  CROSS JOIN ({states}) s) x
            WHERE x.seq IS NOT NULL
            """;

    private final OperationsSql sql;
    private final int most;

    Windows(OperationsSql sql, int most) {
        this.sql = sql;
        this.most = most;
    }

    /** Of live rows, of which a page needs the newest few when the filter lets all through. */
    Window live(Statements statements, MessageFilter filter, long needed) throws SQLException {
        if (Filters.isOfStream(filter)) {
            return ofStream(statements, filter, Objects.requireNonNull(filter.tenant()));
        }
        Window window = filter.status() == null
                ? newest(statements, filter.isEverything() ? Math.min(needed, most) : most)
                : ofStatus(statements, filter.status());
        if (window.hasMore() && filter.tenant() == null && filter.key() != null) {
            // Most have no tenants: their stream is found wherever it is.
            Window stream = ofStream(statements, filter, "");
            window = stream.isEmpty() ? window : window.and("m.tenant <> ''", stream.source());
        }
        if (window.hasMore() && (filter.staleFor() != null || filter.createdBefore() != null)) {
            // What has waited long is at the other end.
            window = window.and(sql.afterOldest(most), sql.oldest(most));
        }
        return withId(
                window, filter, "SELECT " + sql.columns() + " FROM postroom_message m {along id} WHERE m.id = '%s'");
    }

    /** Who searches for a whole id finds that message wherever it is; the id may be part of others' keys and errors too. */
    private static Window withId(Window window, MessageFilter filter, String byId) {
        if (!window.hasMore()
                || filter.text() == null
                || !ID.matcher(filter.text()).matches()) {
            return window;
        }
        UUID id = UUID.fromString(filter.text());
        return window.and("m.id <> '" + id + "'", byId.formatted(id));
    }

    /** The newest so many rows in these states. */
    Window newest(Statements statements, List<Integer> states, int rows) throws SQLException {
        return new Slices(statements, sql, rows).window(filled(statements, states));
    }

    private Window ofStatus(Statements statements, MessageStatus status) throws SQLException {
        List<Integer> states = Filters.states(status);
        if (states.isEmpty()) {
            return Window.EMPTY;
        }
        List<Slice> slices = filled(statements, states);
        if (status == MessageStatus.BLOCKED) {
            Set<Long> held = lanesWithHolders(statements);
            slices = slices.stream()
                    .filter(slice -> held.contains(slice.second()))
                    .toList();
        }
        boolean isOneLane = slices.stream().map(Slice::second).distinct().count() == 1;
        return new Slices(statements, sql, isOneLane ? ONE_LANE * most : most).window(slices);
    }

    /** The lanes that have rows in these states. */
    private List<Slice> filled(Statements statements, List<Integer> states) throws SQLException {
        String each = states.stream()
                .map(state -> "SELECT " + state + " AS state")
                .collect(Collectors.joining(" UNION ALL "));
        return statements.all(
                FILLED.replace("{states}", each),
                List.of(),
                row -> Slice.ofLane(row.getInt("state"), row.getLong("lane")));
    }

    Window archived(Statements statements, MessageFilter filter) throws SQLException {
        boolean hasMore = Counts.upTo(statements, sql.archived(), new Where(), most + 1) > most;
        return withId(
                Window.newest(ARCHIVED.formatted("seq") + " ORDER BY a.seq DESC LIMIT " + most, hasMore),
                filter,
                ARCHIVED.formatted("id") + " WHERE a.id = '%s'");
    }

    private Window newest(Statements statements, long rows) throws SQLException {
        boolean hasMore = Counts.upTo(statements, Counts.LIVE, new Where(), most + 1) > most;
        return Window.newest(sql.newest((int) rows), hasMore);
    }

    private Window ofStream(Statements statements, MessageFilter filter, String tenant) throws SQLException {
        List<Slice> slices = slicesOfStream(statements, filter, tenant, Filters.states(filter.status()));
        return new Slices(statements, sql, ONE_LANE * most).window(slices);
    }

    /** A SELECT of all rows in these states of the stream that a filter names; there may be others' too. */
    String wholeStream(Statements statements, MessageFilter filter, List<Integer> states) throws SQLException {
        List<Slice> slices = slicesOfStream(statements, filter, Objects.requireNonNull(filter.tenant()), states);
        return sql.slices(slices, OptionalLong.empty());
    }

    private List<Slice> slicesOfStream(Statements statements, MessageFilter filter, String tenant, List<Integer> states)
            throws SQLException {
        long place = statements.count(sql.placeOfStream(), List.of(tenant, Objects.requireNonNull(filter.key())));
        return sql.ofStream(place, states);
    }

    /** Where nothing holds, nothing is blocked. With too many holders to look at, any lane may have one. */
    private Set<Long> lanesWithHolders(Statements statements) throws SQLException {
        record Held(long lane, long holders) {}
        Where all = new Where();
        String lanes =
                "SELECT x.lane, COUNT(*) AS holders FROM (" + sql.holders("m.lane") + " LIMIT ?) x GROUP BY x.lane";
        List<Held> held = statements.all(
                all.in(lanes), all.values(most), row -> new Held(row.getLong("lane"), row.getLong("holders")));
        return held.stream().mapToLong(Held::holders).sum() < most
                ? held.stream().map(Held::lane).collect(Collectors.toSet())
                : LongStream.range(0, LaneStore.LANES).boxed().collect(Collectors.toSet());
    }
}
