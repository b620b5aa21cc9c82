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
                a.archived_at, a.reason, SUBSTRING(a.error FROM 1 FOR 200) AS error
            FROM postroom_archive a
            WHERE {where}
            ORDER BY a.seq DESC
            LIMIT ? OFFSET ?
            """;

    private static final String SELECT_ARCHIVED =
            "SELECT a.id FROM postroom_archive a WHERE {where} ORDER BY a.seq LIMIT ?";

    private final OperationsSql sql;
    private final Filters filters;
    private final Counts counts;

    MessageLists(OperationsSql sql) {
        this.sql = sql;
        this.filters = new Filters(sql);
        this.counts = new Counts(sql);
    }

    MessagePage page(Statements statements, MessageFilter filter, int page, int pageSize) throws SQLException {
        int offset = Math.multiplyExact(page, pageSize);
        boolean archived = isArchived(filter);
        Where where = where(statements, filter);
        List<MessageItem> items = archived
                ? statements.all(
                        where.in(LIST_ARCHIVED),
                        where.values(pageSize, offset),
                        row -> MessageItems.archived(row, statements.timestamps()))
                : statements.all(
                        where.in(sql.list()),
                        where.values(pageSize, offset),
                        row -> MessageItems.live(row, statements.timestamps(), statements.now()));
        Counts.Count total = counts.count(statements, archived ? Counts.ARCHIVED : Counts.LIVE, where);
        return new MessagePage(items, page, pageSize, total.rows(), total.isExact());
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
        return statements.all(
                where.in(archived ? SELECT_ARCHIVED : sql.select()),
                where.values(limit),
                row -> MessageItems.id(row, "id"));
    }

    private Where where(Statements statements, MessageFilter filter) {
        return isArchived(filter) ? filters.archived(filter) : filters.live(filter, statements.now());
    }

    private static boolean isArchived(MessageFilter filter) {
        return filter.status() != null && filter.status().isArchived();
    }
}
