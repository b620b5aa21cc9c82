package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Change;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.Effect;
import dev.postroom.operations.ReleaseRequest;
import dev.postroom.operations.StreamKey;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Changes chosen messages. The rows that a change fits are locked first, in the order in which relays settle, and then
 * changed: what a relay does in between waits, and then finds another version.
 */
final class MessageChanges {
    /** Comes back as waiting and due now, because its seq may lie behind every reader's cursor. */
    private static final String RETRY = """
            UPDATE postroom_message
            SET retry_at = ?, dead_at = NULL, attempts = 0, crashes = 0, version = LEAST(version, 2147483646) + 1
            WHERE id = ?
            """;

    private static final String DEAD_LETTER = """
            UPDATE postroom_message
            SET dead_at = ?, retry_at = NULL, reason = 'UNKNOWN', error = ?, version = LEAST(version, 2147483646) + 1
            WHERE id = ?
            """;

    /**
     * A row that could have gone but for its stream was left behind, and readers have passed its seq or its due time: due now,
     * it is found again. One that waits for a later time keeps that, and a dead one stays dead.
     */
    private static final String RELEASE = """
            UPDATE postroom_message
            SET released = TRUE, version = LEAST(version, 2147483646) + 1,
                retry_at = CASE WHEN dead_at IS NULL AND (COALESCE(retry_at, available_at) IS NULL
                                                          OR COALESCE(retry_at, available_at) <= ?)
                                THEN ? ELSE retry_at END
            WHERE id = ?
            """;

    /** A replayed message has its archive entry already. */
    private static final String ARCHIVE = """
            INSERT INTO postroom_archive (archived_at, seq, id, created_at, available_at, attempts, crashes, lane, outcome,
                tenant, topic, ordering_key, type, content_type, content_encoding, source, reason, error, headers, payload)
            SELECT ?, m.seq, m.id, m.created_at, m.available_at, m.attempts, m.crashes, m.lane, 1,
                m.tenant, m.topic, m.ordering_key, m.type, m.content_type, m.content_encoding, m.source, m.reason, m.error,
                m.headers, m.payload
            FROM postroom_message m
            WHERE m.only_destination IS NULL AND {where}
            """;

    /** One by one: in MariaDB a list might be a scan, which waits for producers. */
    private static final String REMOVE = "DELETE FROM postroom_message WHERE id = ?";

    private static final String REMOVE_ARCHIVED = "DELETE FROM postroom_archive WHERE {where}";
    private static final String REMOVE_ATTEMPTS = "DELETE FROM postroom_attempt WHERE {where}";
    private static final String STATES = "SELECT m.state FROM postroom_message m {along id} WHERE {where}";
    private static final String OF_IDS = "SELECT m.id FROM postroom_message m {along id} WHERE {where}";
    private static final String COUNT = "SELECT COUNT(*) FROM postroom_message m {along id} WHERE {where}";
    private static final String COUNT_ARCHIVED =
            "SELECT COUNT(*) FROM (SELECT DISTINCT a.id FROM postroom_archive a {along id} WHERE {where}) d";

    private final OperationsSql sql;
    private final AuditLog audit;

    MessageChanges(OperationsSql sql, AuditLog audit) {
        this.sql = sql;
        this.audit = audit;
    }

    long count(Statements statements, List<UUID> ids, Change change) throws SQLException {
        Where live = new Where().andIn("m.id", ids).and(Filters.fitsById(change));
        long count = statements.count(live.in(COUNT), live.values());
        if (change == Change.DELETE) {
            Where archived = new Where().andIn("a.id", ids);
            count += statements.count(archived.in(COUNT_ARCHIVED), archived.values());
        }
        return count;
    }

    int change(Statements statements, Change change, List<UUID> ids, Auditing auditing) throws SQLException {
        List<UUID> locked = sql.lock(statements, ids, Filters.fitsById(change));
        StateCounts before = states(statements, locked);
        int changed = changeLocked(statements, change, locked, auditing);
        if (change == Change.DELETE) {
            int archived = removeArchived(statements, ids);
            before.add(archived, "archived");
            changed += archived;
        }
        String after = changed == 0 ? "" : changed + " " + after(change);
        audit.write(statements, auditing, new Effect(changed, 0, before.toString(), after));
        return changed;
    }

    ActionResult releaseStream(Statements statements, ReleaseRequest request, int limit, Auditing auditing)
            throws SQLException {
        List<UUID> chosen = request.ids() == null
                ? holders(statements, request, limit)
                : ofStream(statements, request, request.ids());
        if (chosen.isEmpty()) {
            audit.write(statements, auditing, new Effect(0, 0, "", "nothing matched"));
            return new ActionResult(0, 0);
        }
        Auditing matched = auditing.matching(chosen.size());
        return new ActionResult(chosen.size(), change(statements, Change.RELEASE, chosen, matched));
    }

    private List<UUID> holders(Statements statements, ReleaseRequest request, int limit) throws SQLException {
        StreamKey stream = request.stream();
        Where where = new Where()
                .and(sql.nearHolders(), stream.tenant(), stream.key())
                .and("m.tenant = ? AND m.ordering_key = ?", stream.tenant(), stream.key())
                .andIf("m.topic = ?", request.topic());
        return statements.all(
                where.in(sql.holders("m.id") + " LIMIT ?"), where.values(limit), row -> MessageItems.id(row, "id"));
    }

    private static List<UUID> ofStream(Statements statements, ReleaseRequest request, List<UUID> ids)
            throws SQLException {
        StreamKey stream = request.stream();
        Where where = new Where()
                .andIn("m.id", ids)
                .and("m.tenant = ? AND m.ordering_key = ?", stream.tenant(), stream.key())
                .andIf("m.topic = ?", request.topic());
        return statements.all(where.in(OF_IDS), where.values(), row -> MessageItems.id(row, "id"));
    }

    static StateCounts states(Statements statements, List<UUID> locked) throws SQLException {
        StateCounts counts = new StateCounts();
        if (!locked.isEmpty()) {
            Where where = new Where().andIn("m.id", locked);
            statements
                    .all(where.in(STATES), where.values(), row -> StateCounts.live(row.getInt("state")))
                    .forEach(state -> counts.add(1, state));
        }
        return counts;
    }

    private static String after(Change change) {
        return switch (change) {
            case RETRY -> StateCounts.live(2);
            case DEAD_LETTER -> StateCounts.live(3);
            case SKIP -> "skipped";
            case DELETE -> "deleted";
            case RELEASE -> "released";
        };
    }

    private static int changeLocked(Statements statements, Change change, List<UUID> locked, Auditing auditing)
            throws SQLException {
        if (locked.isEmpty()) {
            return 0;
        }
        Instant now = statements.now();
        return switch (change) {
            case RETRY ->
                statements.updateEach(
                        RETRY, locked.stream().map(id -> List.of(now, id)).toList());
            case RELEASE ->
                statements.updateEach(
                        RELEASE,
                        locked.stream().map(id -> List.of(now, now, id)).toList());
            case DEAD_LETTER -> {
                String error = "dead-lettered by " + auditing.actor() + ": " + auditing.reason();
                yield statements.updateEach(
                        DEAD_LETTER,
                        locked.stream().map(id -> List.of(now, error, id)).toList());
            }
            case SKIP -> {
                Where where = new Where().andIn("m.id", locked);
                statements.update(where.in(ARCHIVE), where.values(List.of(now), List.of()));
                yield removeLive(statements, locked);
            }
            case DELETE -> {
                remove(statements, REMOVE_ATTEMPTS, "message_id", locked);
                yield removeLive(statements, locked);
            }
        };
    }

    private static int removeLive(Statements statements, List<UUID> locked) throws SQLException {
        statements.updateEach(REMOVE, locked.stream().map(List::of).toList());
        return locked.size();
    }

    /** A message that was replayed and archived twice is one message. */
    private static int removeArchived(Statements statements, List<UUID> ids) throws SQLException {
        Where where = new Where().andIn("a.id", ids);
        List<UUID> archived = statements.all(
                where.in("SELECT DISTINCT a.id FROM postroom_archive a {along id} WHERE {where}"),
                where.values(),
                row -> MessageItems.id(row, "id"));
        if (!archived.isEmpty()) {
            remove(statements, REMOVE_ARCHIVED, "id", archived);
            remove(statements, REMOVE_ATTEMPTS, "message_id", archived);
        }
        return archived.size();
    }

    private static int remove(Statements statements, String sql, String column, List<UUID> ids) throws SQLException {
        Where where = new Where().andIn(column, ids);
        return statements.update(where.in(sql), where.values());
    }
}
