package dev.postroom.jdbc.internal.operations;

import dev.postroom.FailureReason;
import dev.postroom.operations.BlockedStream;
import dev.postroom.operations.ErrorFingerprint;
import dev.postroom.operations.FailureGroup;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.RowState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** What is going wrong: failures alike, and streams that are held. */
final class Troubles {
    /** More holders are not looked at; the streams of these are enough to begin with. */
    private static final int HOLDERS_LOOKED_AT = 10_000;

    private static final String BLOCKED = """
            SELECT g.tenant, g.topic, g.ordering_key, g.holders, m.id, m.state, m.reason, m.error,
                COALESCE(m.retry_at, m.available_at) AS due, COALESCE(m.dead_at, m.failed_at, m.created_at) AS since
            FROM (SELECT x.tenant, x.topic, x.ordering_key, MIN(x.seq) AS head, COUNT(*) AS holders
                  FROM (SELECT m.tenant, m.topic, m.ordering_key, m.seq
                        FROM postroom_message m
                        WHERE m.state >= 2 AND m.holds AND NOT m.released AND m.ordering_key IS NOT NULL
                        LIMIT ?) x
                  GROUP BY x.tenant, x.topic, x.ordering_key) g
            JOIN postroom_message m
              ON m.tenant = g.tenant AND m.topic = g.topic AND m.ordering_key = g.ordering_key AND m.seq = g.head
             AND m.state >= 2 AND m.holds AND NOT m.released
            ORDER BY COALESCE(m.dead_at, m.failed_at, m.created_at), m.seq
            LIMIT ?
            """;

    private final OperationsSql sql;

    Troubles(OperationsSql sql) {
        this.sql = sql;
    }

    List<FailureGroup> failures(Statements statements, int scan, int limit) throws SQLException {
        Map<Kind, Group> groups = new LinkedHashMap<>();
        for (Failed failed : statements.all(sql.failures(), List.of(scan), row -> failed(statements, row))) {
            Kind kind = new Kind(failed.reason, ErrorFingerprint.of(failed.error), failed.topic);
            groups.computeIfAbsent(kind, k -> new Group(failed)).add(failed);
        }
        return groups.entrySet().stream()
                .map(entry -> entry.getValue().result(entry.getKey()))
                .sorted(Comparator.comparingLong(FailureGroup::count)
                        .thenComparing(FailureGroup::latest)
                        .reversed())
                .limit(limit)
                .toList();
    }

    List<BlockedStream> blockedStreams(Statements statements, int limit) throws SQLException {
        return statements.all(BLOCKED, List.of(HOLDERS_LOOKED_AT, limit), row -> {
            MessageStatus status = MessageItems.status(
                    RowState.of(row.getInt("state")), statements.timestamps().get(row, "due"), false, statements.now());
            return new BlockedStream(
                    MessageItems.stream(row),
                    MessageItems.id(row, "id"),
                    status,
                    statements.timestamps().require(row, "since"),
                    MessageItems.reason(row.getString("reason")),
                    row.getString("error"),
                    row.getLong("holders"));
        });
    }

    private static Failed failed(Statements statements, ResultSet row) throws SQLException {
        return new Failed(
                MessageItems.id(row, "id"),
                row.getString("topic"),
                Objects.requireNonNullElse(MessageItems.reason(row.getString("reason")), FailureReason.UNKNOWN),
                Objects.requireNonNullElse(row.getString("error"), ""),
                row.getInt("state") == RowState.DEAD.code(),
                statements.timestamps().require(row, "failed"));
    }

    private record Failed(UUID id, String topic, FailureReason reason, String error, boolean dead, Instant at) {}

    private record Kind(FailureReason reason, String fingerprint, String topic) {}

    private static final class Group {
        private Failed latest;
        private long count;
        private long dead;

        Group(Failed first) {
            latest = first;
        }

        void add(Failed failed) {
            count++;
            dead += failed.dead ? 1 : 0;
            latest = failed.at.isAfter(latest.at) ? failed : latest;
        }

        FailureGroup result(Kind kind) {
            return new FailureGroup(
                    kind.reason, kind.fingerprint, kind.topic, count, dead, latest.id, latest.error, latest.at);
        }
    }
}
