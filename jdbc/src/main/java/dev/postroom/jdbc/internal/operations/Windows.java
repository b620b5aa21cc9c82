package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.LaneStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
            FROM postroom_archive a
            """;

    /** One row of each, so that no database can turn it into a scan. */
    private static final String FILLED = """
            SELECT x.state, x.lane
            FROM (SELECT s.state, l.lane,
                      (SELECT m.seq FROM postroom_message m {hint}
                       WHERE m.state = s.state AND m.lane = l.lane
                       ORDER BY m.state DESC, m.lane DESC, m.seq DESC
                       LIMIT 1) AS seq
                  FROM postroom_lane l
                  CROSS JOIN ({states}) s) x
            WHERE x.seq IS NOT NULL
            """;

    private static final String LANES_WITH_HOLDERS = """
            SELECT x.lane, COUNT(*) AS holders
            FROM (SELECT m.lane FROM postroom_message m
                  WHERE m.state >= 2 AND m.holds AND NOT m.released AND m.ordering_key IS NOT NULL
                  LIMIT ?) x
            GROUP BY x.lane
            """;

    private final OperationsSql sql;
    private final Counts counts;
    private final int most;

    Windows(OperationsSql sql, Counts counts, int most) {
        this.sql = sql;
        this.counts = counts;
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
        if (window.hasMore() && filter.tenant() == null && filter.topic() != null && filter.key() != null) {
            // Most have no tenants: their stream is found wherever it is.
            Window stream = ofStream(statements, filter, "");
            window = stream.isEmpty() ? window : window.and("m.tenant <> ''", stream.source());
        }
        if (window.hasMore() && (filter.staleFor() != null || filter.createdBefore() != null)) {
            // What has waited long is at the other end.
            window = window.and(sql.afterOldest(most), sql.oldest(most));
        }
        return withId(window, filter, "SELECT " + sql.columns() + " FROM postroom_message m WHERE m.id = '%s'");
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

    private Window ofStatus(Statements statements, MessageStatus status) throws SQLException {
        List<Integer> states = Filters.states(status);
        if (states.isEmpty()) {
            return Window.EMPTY;
        }
        List<Slice> slices = filled(statements, states);
        if (status == MessageStatus.BLOCKED) {
            Set<Integer> held = lanesWithHolders(statements);
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
                FILLED.replace("{states}", each).replace("{hint}", sql.along(Slice.Index.FORWARD)),
                List.of(),
                row -> Slice.ofLane(row.getInt("state"), row.getInt("lane")));
    }

    Window archived(Statements statements, MessageFilter filter) throws SQLException {
        boolean hasMore = counts.upTo(statements, Counts.ARCHIVED, new Where(), most + 1) > most;
        return withId(
                Window.newest(ARCHIVED + " ORDER BY a.seq DESC LIMIT " + most, hasMore),
                filter,
                ARCHIVED + " WHERE a.id = '%s'");
    }

    private Window newest(Statements statements, long rows) throws SQLException {
        boolean hasMore = counts.upTo(statements, Counts.LIVE, new Where(), most + 1) > most;
        return Window.newest(sql.newest((int) rows), hasMore);
    }

    private Window ofStream(Statements statements, MessageFilter filter, String tenant) throws SQLException {
        long place = statements.count(
                sql.placeOfStream(),
                List.of(tenant, Objects.requireNonNull(filter.topic()), Objects.requireNonNull(filter.key())));
        List<Slice> slices = sql.ofStream(place, Filters.states(filter.status()));
        return new Slices(statements, sql, ONE_LANE * most).window(slices);
    }

    /** Where nothing holds, nothing is blocked. With too many holders to look at, any lane may have one. */
    private Set<Integer> lanesWithHolders(Statements statements) throws SQLException {
        record Held(int lane, long holders) {}
        List<Held> held = statements.all(
                LANES_WITH_HOLDERS, List.of(most), row -> new Held(row.getInt("lane"), row.getLong("holders")));
        return held.stream().mapToLong(Held::holders).sum() < most
                ? held.stream().map(Held::lane).collect(Collectors.toSet())
                : IntStream.range(0, LaneStore.LANES).boxed().collect(Collectors.toSet());
    }
}
