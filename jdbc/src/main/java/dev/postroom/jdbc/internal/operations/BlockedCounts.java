package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.Tenants;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts who waits behind a failed or dead message of its stream, among the first so many of those that hold theirs. */
final class BlockedCounts {
    /** The streams that are held, by the first that holds each. */
    private static final String HELD_STREAMS = """
            SELECT x.stream, x.tenant, x.ordering_key, MIN(x.seq) AS seq
            FROM ({holders} LIMIT ?) x
            WHERE {own}
            GROUP BY x.stream, x.tenant, x.ordering_key
            """;

    private final OperationsSql sql;
    private final int lookedAt;

    BlockedCounts(OperationsSql sql, int lookedAt) {
        this.sql = sql;
        this.lookedAt = lookedAt;
    }

    /**
     * Who waits: messages written later than the holder that have not failed themselves.
     *
     * @param messages counted no further than so many holders were looked at
     */
    record Blocked(long streams, long messages) {}

    Blocked of(Statements statements, Tenants tenants) throws SQLException {
        Where own = Where.ofTenants("x.tenant", tenants);
        String all = new Where().in(HELD_STREAMS.replace("{holders}", sql.holders(OperationsSql.STREAM_AND_SEQ)));
        String held = own.in(all.replace("{own}", "{where}"));
        List<@Nullable Object> values = own.values(List.of(lookedAt), List.of());
        long streams = statements.count(sql.streamsWaitedIn(lookedAt).replace("{held}", held), values);
        return new Blocked(streams, streams == 0 ? 0 : messages(statements, held, values));
    }

    private long messages(Statements statements, String held, List<@Nullable Object> values) throws SQLException {
        List<String> parts = sql.waiting(lookedAt);
        List<@Nullable Object> each = new ArrayList<>();
        parts.forEach(part -> each.addAll(values));
        String waiting = String.join(" UNION ALL ", parts).replace("{held}", held);
        return Math.min(lookedAt, statements.count("SELECT COUNT(*) FROM (" + waiting + ") x", each));
    }
}
