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
            "SELECT a.id FROM postroom_archive a WHERE {where} ORDER BY a.seq LIMIT ?";

    private final OperationsSql sql;
    private final Filters filters;
    private final Counts counts;
    private final Windows windows;

    MessageLists(OperationsSql sql) {
        this(sql, MessagePage.SEARCHED);
    }

    /** Lists look at so many of the newest messages that can match. */
    MessageLists(OperationsSql sql, int searched) {
        this.sql = sql;
        this.filters = new Filters(sql);
        this.counts = new Counts(sql);
        this.windows = new Windows(sql, counts, searched);
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
            long estimate = estimate(statements, filter, atLeast);
            return new MessagePage(items, page, pageSize, estimate, false, !window.hasGaps());
        }
        return new MessagePage(items, page, pageSize, found, !window.hasMore(), !window.hasMore());
    }

    private record Found(MessageItem item, long inAll) {}

    /** When the page did not tell. */
    private long count(Statements statements, MessageFilter filter, Window window, Where where) throws SQLException {
        if (filter.isEverything()) {
            return counts.upTo(statements, Counts.LIVE, where, MessagePage.EXACT_UP_TO + 1);
        }
        String select = isArchived(filter) ? Counts.FOUND_ARCHIVED : Counts.FOUND;
        return counts.upTo(statements, select.replace("{source}", window.source()), where, Integer.MAX_VALUE);
    }

    private long estimate(Statements statements, MessageFilter filter, long atLeast) throws SQLException {
        String select = isArchived(filter) ? Counts.ARCHIVED : Counts.LIVE;
        return Math.max(atLeast, sql.estimate(statements, select, where(statements, filter)));
    }

    long count(Statements statements, MessageFilter filter, Change change, int limit) throws SQLException {
        boolean archived = isArchived(filter);
        if (archived && change != Change.DELETE) {
            return 0;
        }
        Where where = where(statements, filter);
        if (!archived) {
            where.and(Filters.fits(change));
        }
        return counts.upTo(statements, archived ? Counts.ARCHIVED : Counts.LIVE, where, limit);
    }

    /** What left can only be deleted. */
    List<UUID> select(Statements statements, MessageFilter filter, Change change, int limit) throws SQLException {
        boolean archived = isArchived(filter);
        if (archived && change != Change.DELETE) {
            return new ArrayList<>();
        }
        Where where = where(statements, filter);
        if (!archived) {
            where.and(Filters.fits(change));
        }
        if (archived) {
            return statements.all(where.in(SELECT_ARCHIVED), where.values(limit), row -> MessageItems.id(row, "id"));
        }
        List<Integer> states = new ArrayList<>(Filters.states(filter.status()));
        states.retainAll(Filters.states(change));
        return sql.select(statements, states, where, limit);
    }

    private Where where(Statements statements, MessageFilter filter) {
        return isArchived(filter) ? filters.archived(filter) : filters.live(filter, statements.now());
    }

    private static boolean isArchived(MessageFilter filter) {
        return filter.status() != null && filter.status().isArchived();
    }
}
