package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.Change;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessagePage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Pages of messages, and which of them a change would reach. */
final class MessageLists {
    private static final String LIST_ARCHIVED = """
            SELECT a.id, a.seq, a.tenant, a.topic, a.ordering_key, a.type, a.outcome, a.attempts, a.created_at,
                a.archived_at, a.reason, SUBSTRING(a.error FROM 1 FOR 200) AS error,
                {found} AS found
            FROM ({source}) a
            WHERE {where}
            ORDER BY a.seq DESC
            LIMIT ? OFFSET ?
            """;

    /** Counting reads to the end of the window, where a list of everything stops after its page. */
    private static final String NOT_COUNTED = "0";

    private static final String SELECT_ARCHIVED =
            "SELECT a.id FROM postroom_archive a {along seq} WHERE {where} ORDER BY a.seq LIMIT ?";
    private static final String COUNT_LIVE = "SELECT 1 AS one FROM postroom_message m {along %s} WHERE {where}";

    private final OperationsSql sql;
    private final Filters filters;
    private final Windows windows;
    private final int searched;

    /** Lists look at so many of the newest messages that can match. */
    MessageLists(OperationsSql sql, int searched) {
        this.sql = sql;
        this.filters = new Filters(sql);
        this.windows = new Windows(sql, searched);
        this.searched = searched;
    }

    MessagePage page(Statements statements, MessageFilter filter, int page, int pageSize) throws SQLException {
        int offset = Math.multiplyExact(page, pageSize);
        boolean archived = isArchived(filter);
        Window window = archived
                ? windows.archived(statements, filter)
                : windows.live(statements, filter, (long) offset + pageSize);
        if (window.isEmpty()) {
            return new MessagePage(List.of(), page, pageSize, 0, true, true);
        }
        Where where = archived ? filters.archived(filter) : filters.found(filter, statements.now());
        String list = (archived ? LIST_ARCHIVED : sql.list())
                .replace("{source}", window.source())
                .replace("{found}", filter.isEverything() ? NOT_COUNTED : "COUNT(*) OVER ()");
        List<Found> rows = statements.all(
                where.in(list),
                where.values(pageSize, offset),
                row -> new Found(
                        archived
                                ? MessageItems.archived(row, statements.timestamps())
                                : MessageItems.live(row, statements.timestamps(), statements.now()),
                        row.getLong("found")));
        List<MessageItem> items = rows.stream().map(Found::item).toList();
        long found = rows.isEmpty() && offset == 0
                ? 0
                : rows.isEmpty() || filter.isEverything()
                        ? count(statements, filter, window, where)
                        : rows.get(0).inAll;
        if (window.hasMore() && items.size() == pageSize) {
            // There may be a next page: going there tells.
            long atLeast = Math.max(found, (long) offset + pageSize + 1);
            long estimate = estimate(statements, filter, found, atLeast);
            return new MessagePage(items, page, pageSize, estimate, false, !window.hasGaps());
        }
        return new MessagePage(items, page, pageSize, found, !window.hasMore(), !window.hasMore());
    }

    private record Found(MessageItem item, long inAll) {}

    /** When the page did not tell. */
    private long count(Statements statements, MessageFilter filter, Window window, Where where) throws SQLException {
        if (filter.isEverything()) {
            return Counts.upTo(statements, Counts.LIVE, where, searched + 1);
        }
        String select = isArchived(filter) ? Counts.FOUND_ARCHIVED : Counts.FOUND;
        return Counts.upTo(statements, select.replace("{source}", window.source()), where, Integer.MAX_VALUE);
    }

    private long estimate(Statements statements, MessageFilter filter, long found, long atLeast) throws SQLException {
        boolean archived = isArchived(filter);
        Where where = archived ? filters.archived(filter) : filters.live(filter, statements.now());
        // How many of a stream's rows match says nothing about those of others.
        List<Integer> states = archived || Filters.isOfStream(filter) ? List.of() : Filters.states(filter.status());
        Sample sample = new Sample(states, found, Math.max(found, searched));
        return Math.max(atLeast, sql.estimate(statements, archived ? sql.archived() : Counts.LIVE, where, sample));
    }

    long count(Statements statements, MessageFilter filter, Change change, int limit) throws SQLException {
        if (isArchived(filter)) {
            return change == Change.DELETE
                    ? Counts.upTo(statements, sql.archived(), filters.archived(filter), limit)
                    : 0;
        }
        List<Integer> states = states(filter, change);
        if (states.isEmpty()) {
            return 0;
        }
        String select = Filters.isOfStream(filter)
                ? Counts.FOUND.replace("{source}", windows.wholeStream(statements, filter, states))
                : COUNT_LIVE.formatted(states.contains(0) ? "PRIMARY" : "forward");
        return Counts.upTo(statements, select, changeable(statements, filter, change), limit);
    }

    /** What left can only be deleted. */
    List<UUID> select(Statements statements, MessageFilter filter, Change change, int limit) throws SQLException {
        if (isArchived(filter)) {
            Where where = filters.archived(filter);
            return change == Change.DELETE
                    ? statements.all(where.in(SELECT_ARCHIVED), where.values(limit), row -> MessageItems.id(row, "id"))
                    : new ArrayList<>();
        }
        List<Integer> states = states(filter, change);
        if (states.isEmpty()) {
            return new ArrayList<>();
        }
        Where where = changeable(statements, filter, change);
        if (Filters.isOfStream(filter)) {
            String select = "SELECT m.id FROM (" + windows.wholeStream(statements, filter, states)
                    + ") m WHERE {where} ORDER BY " + sql.inOrder() + " LIMIT ?";
            return statements.all(where.in(select), where.values(limit), row -> MessageItems.id(row, "id"));
        }
        return sql.select(statements, states, where, limit);
    }

    private Where changeable(Statements statements, MessageFilter filter, Change change) {
        Where where = Filters.isOfStream(filter)
                ? filters.found(filter, statements.now())
                : filters.live(filter, statements.now());
        return where.and(Filters.fits(change));
    }

    /** Which states a row can be in that matches and can be changed so. */
    private static List<Integer> states(MessageFilter filter, Change change) {
        List<Integer> states = new ArrayList<>(Filters.states(filter.status()));
        states.retainAll(Filters.states(change));
        return states;
    }

    private static boolean isArchived(MessageFilter filter) {
        return filter.status() != null && filter.status().isArchived();
    }
}
