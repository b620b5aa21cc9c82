package dev.postroom.jdbc.internal.operations;

import dev.postroom.FailureReason;
import dev.postroom.operations.BlockedStream;
import dev.postroom.operations.ErrorFingerprint;
import dev.postroom.operations.FailureGroup;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.StreamKey;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.RowState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is going wrong: failures alike, and streams that are held. */
final class Troubles {
    private static final List<Integer> FAILED_AND_DEAD = List.of(2, 3);

    private static final String FAILURES = """
            SELECT m.id, m.topic, m.reason, LEFT(m.error, 1000) AS error, m.state,
                COALESCE(m.failed_at, m.dead_at, m.created_at) AS failed
            FROM ({source}) m
            WHERE (m.state = 3 OR m.attempts > 0) AND {where}
            ORDER BY m.seq DESC
            """;

    private static final String HOLDER = """
            m.tenant, m.topic, m.ordering_key, m.seq, m.id, m.state, m.reason,
            COALESCE(m.retry_at, m.available_at) AS due, COALESCE(m.dead_at, m.failed_at, m.created_at) AS since
            """;

    private static final String ERRORS = "SELECT m.id, m.error FROM postroom_message m {along id} WHERE {where}";

    private final OperationsSql sql;
    private final Windows windows;
    private final int holdersLookedAt;

    /** More holders are not looked at; the streams of these are enough to begin with. */
    Troubles(OperationsSql sql, int holdersLookedAt) {
        this.sql = sql;
        this.windows = new Windows(sql, holdersLookedAt);
        this.holdersLookedAt = holdersLookedAt;
    }

    List<FailureGroup> failures(Statements statements, Tenants tenants, int scan, int limit) throws SQLException {
        Window window = windows.newest(statements, FAILED_AND_DEAD, scan);
        if (window.isEmpty()) {
            return List.of();
        }
        Map<Kind, Group> groups = new LinkedHashMap<>();
        Where own = Where.ofTenants("m.tenant", tenants);
        String failures = own.in(FAILURES.replace("{source}", window.source()));
        for (Failed failed : statements.all(failures, own.values(), row -> failed(statements, row))) {
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

    /**
     * The first holder of each stream stands for it; its error is fetched when it is known which of them are shown. Tenants
     * are told apart afterwards: no index leads to them, and a search among all holders would have no end.
     */
    List<BlockedStream> blockedStreams(Statements statements, Tenants tenants, int limit) throws SQLException {
        Map<StreamKey, List<Holder>> streams = new LinkedHashMap<>();
        Where all = new Where();
        for (Holder holder : statements.all(
                all.in(sql.holders(HOLDER) + " LIMIT ?"),
                all.values(holdersLookedAt),
                row -> holder(statements, row))) {
            if (tenants.include(holder.stream.tenant())) {
                streams.computeIfAbsent(holder.stream, stream -> new ArrayList<>())
                        .add(holder);
            }
        }
        List<List<Holder>> longestHeld = streams.values().stream()
                .sorted(Comparator.comparing((List<Holder> held) -> held.get(0).since)
                        .thenComparing(held -> held.get(0).seq))
                .limit(limit)
                .toList();
        Map<UUID, String> errors = errors(
                statements, longestHeld.stream().map(held -> held.get(0).id).toList());
        return longestHeld.stream()
                .map(held -> held.get(0).blocks(held.size(), errors))
                .toList();
    }

    private static Map<UUID, String> errors(Statements statements, List<UUID> ids) throws SQLException {
        Map<UUID, String> errors = new HashMap<>();
        if (!ids.isEmpty()) {
            Where where = new Where().andIn("m.id", ids).and("m.error IS NOT NULL");
            statements.all(
                    where.in(ERRORS),
                    where.values(),
                    row -> errors.put(MessageItems.id(row, "id"), row.getString("error")));
        }
        return errors;
    }

    private static Holder holder(Statements statements, ResultSet row) throws SQLException {
        return new Holder(
                new StreamKey(row.getString("tenant"), row.getString("ordering_key")),
                row.getLong("seq"),
                MessageItems.id(row, "id"),
                row.getString("topic"),
                MessageItems.status(
                        RowState.of(row.getInt("state")),
                        statements.timestamps().get(row, "due"),
                        false,
                        statements.now()),
                statements.timestamps().require(row, "since"),
                MessageItems.reason(row.getString("reason")));
    }

    private record Holder(
            StreamKey stream,
            long seq,
            UUID id,
            String topic,
            MessageStatus status,
            Instant since,
            @Nullable FailureReason reason) {
        BlockedStream blocks(int holders, Map<UUID, String> errors) {
            return new BlockedStream(stream, id, topic, status, since, reason, errors.get(id), holders);
        }
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
