package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.LaneStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Chooses the rows that a list looks at: the newest that can match, so that a filter that matches little does not walk
 * through the whole backlog for it.
 */
final class Windows {
    /** A stream shares its lane with others: twice as far, all of it is found with a million messages waiting. */
    private static final int ONE_LANE = 2;

    private static final String NEWEST_ARCHIVED = """
            SELECT a.id, a.seq, a.tenant, a.topic, a.ordering_key, a.type, a.outcome, a.attempts, a.created_at,
                a.archived_at, a.reason, a.error
            FROM postroom_archive a
            ORDER BY a.seq DESC
            LIMIT %d
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
            return window.and("m.tenant <> ''", ofStream(statements, filter, ""));
        }
        return window;
    }

    private Window ofStatus(Statements statements, MessageStatus status) throws SQLException {
        List<Integer> lanes = status == MessageStatus.BLOCKED
                ? lanesWithHolders(statements)
                : IntStream.range(0, LaneStore.LANES).boxed().toList();
        List<Slice> slices = new ArrayList<>();
        for (int state : Filters.states(status)) {
            lanes.forEach(lane -> slices.add(Slice.ofLane(state, lane)));
        }
        if (slices.isEmpty()) {
            return Window.EMPTY;
        }
        return new Slices(statements, sql, lanes.size() == 1 ? ONE_LANE * most : most).window(slices);
    }

    Window archived(Statements statements) throws SQLException {
        long rows = counts.upTo(statements, Counts.ARCHIVED, new Where(), most + 1);
        return new Window(NEWEST_ARCHIVED.formatted(most), rows > most);
    }

    private Window newest(Statements statements, long rows) throws SQLException {
        boolean hasMore = counts.upTo(statements, Counts.LIVE, new Where(), most + 1) > most;
        return new Window(sql.newest((int) rows), hasMore);
    }

    private Window ofStream(Statements statements, MessageFilter filter, String tenant) throws SQLException {
        long place = statements.count(
                sql.placeOfStream(),
                List.of(tenant, Objects.requireNonNull(filter.topic()), Objects.requireNonNull(filter.key())));
        List<Slice> slices = sql.ofStream(place, Filters.states(filter.status()));
        return slices.isEmpty() ? Window.EMPTY : new Slices(statements, sql, ONE_LANE * most).window(slices);
    }

    /** Where nothing holds, nothing is blocked. With too many holders to look at, any lane may have one. */
    private List<Integer> lanesWithHolders(Statements statements) throws SQLException {
        record Held(int lane, long holders) {}
        List<Held> held = statements.all(
                LANES_WITH_HOLDERS, List.of(most), row -> new Held(row.getInt("lane"), row.getLong("holders")));
        return held.stream().mapToLong(Held::holders).sum() < most
                ? held.stream().map(Held::lane).toList()
                : IntStream.range(0, LaneStore.LANES).boxed().toList();
    }
}
