package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.ErasureResult;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.DedupPosition;
import dev.postroom.operations.OperationsStore.DedupStep;
import dev.postroom.operations.OperationsStore.Effect;
import dev.postroom.operations.OperationsStore.KeyStep;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds and removes all that is kept about messages. Every walk is along an index, so many rows at a time. */
final class Erasures {
    private static final int WINDOW = 20_000;
    private static final int KEYS = 5_000;

    private static final String LIVE = "postroom_message";
    private static final String ARCHIVE = "postroom_archive";

    private static final String END =
            "SELECT t.id FROM {table} t {along id} WHERE {where} ORDER BY t.id LIMIT 1 OFFSET ?";
    /** In order, so that there is an index to go along also where the window is the whole table. */
    private static final String FIND = "SELECT t.id FROM {table} t {along id} WHERE {where} ORDER BY t.id";

    private static final String TENANTS = "SELECT DISTINCT t.tenant FROM {table} t {along id} WHERE {where}";
    private static final String NEXT_KEYS = """
            SELECT d.idempotency_key, d.message_id FROM postroom_dedup d {along PRIMARY}
            WHERE d.tenant = ? AND d.idempotency_key > ?
            ORDER BY d.tenant, d.idempotency_key
            LIMIT ?
            """;
    private static final String REMOVE_KEY = "DELETE FROM postroom_dedup WHERE tenant = ? AND idempotency_key = ?";
    private static final String NEXT_CONSUMER =
            "SELECT MIN(i.consumer) AS consumer FROM postroom_inbox i {along PRIMARY} WHERE i.consumer > ?";
    private static final String COUNT = "SELECT COUNT(*) FROM {table} t WHERE {where}";
    private static final String REMOVE = "DELETE FROM {table} WHERE {where}";
    private static final String REMOVE_LIVE = "DELETE FROM postroom_message WHERE id = ?";

    private final OperationsSql sql;
    private final AuditLog audit;

    Erasures(OperationsSql sql, AuditLog audit) {
        this.sql = sql;
        this.audit = audit;
    }

    KeyStep find(Statements statements, KeyPlace key, @Nullable UUID after) throws SQLException {
        Where rest = after(after);
        List<UUID> last =
                statements.all(in(key.table(), rest, END), rest.values(WINDOW - 1), row -> MessageItems.id(row, "id"));
        @Nullable UUID end = last.isEmpty() ? null : last.get(0);
        Where window =
                after(after).andIf("t.id <= ?", end).and("t.tenant = ? AND t.ordering_key = ?", key.tenant, key.key);
        return new KeyStep(
                statements.all(in(key.table(), window, FIND), window.values(), row -> MessageItems.id(row, "id")), end);
    }

    private static Where after(@Nullable UUID id) {
        return new Where().andIf("t.id > ?", id);
    }

    Set<String> tenants(Statements statements, List<UUID> ids) throws SQLException {
        Set<String> tenants = new HashSet<>();
        for (String table : List.of(LIVE, ARCHIVE)) {
            Where where = new Where().andIn("t.id", ids);
            tenants.addAll(statements.all(in(table, where, TENANTS), where.values(), row -> row.getString("tenant")));
        }
        return tenants;
    }

    DedupStep idempotencyKeys(Statements statements, Set<UUID> ids, DedupPosition from, boolean remove)
            throws SQLException {
        List<Key> next = statements.all(
                NEXT_KEYS,
                List.of(from.tenant(), from.afterKey(), KEYS),
                row -> new Key(row.getString("idempotency_key"), MessageItems.id(row, "message_id")));
        List<Key> wanted =
                next.stream().filter(key -> ids.contains(key.message)).toList();
        if (remove && !wanted.isEmpty()) {
            statements.updateEach(
                    REMOVE_KEY,
                    wanted.stream().map(key -> List.of(from.tenant(), key.text)).toList());
        }
        return new DedupStep(
                wanted.size(),
                next.size() < KEYS ? null : new DedupPosition(from.tenant(), next.get(next.size() - 1).text));
    }

    ErasureResult count(Statements statements, List<UUID> ids) throws SQLException {
        Set<UUID> messages = found(statements, LIVE, ids);
        messages.addAll(found(statements, ARCHIVE, ids));
        long inbox = 0;
        for (String consumer : consumers(statements)) {
            Where where = handled(consumer, ids);
            inbox += statements.count(in("postroom_inbox", where, COUNT), where.values());
        }
        return new ErasureResult(
                messages.size(),
                0,
                new ErasureResult.Places(
                        count(statements, LIVE, "id", ids),
                        count(statements, ARCHIVE, "id", ids),
                        count(statements, "postroom_attempt", "message_id", ids),
                        0,
                        inbox));
    }

    private static Set<UUID> found(Statements statements, String table, List<UUID> ids) throws SQLException {
        Where where = new Where().andIn("t.id", ids);
        return new HashSet<>(statements.all(in(table, where, FIND), where.values(), row -> MessageItems.id(row, "id")));
    }

    private static long count(Statements statements, String table, String column, List<UUID> ids) throws SQLException {
        Where where = new Where().andIn(column, ids);
        return statements.count(in(table, where, COUNT), where.values());
    }

    /** Live rows are locked first and in their order, as a relay does that settles them. */
    ErasureResult erase(Statements statements, List<UUID> ids, Auditing auditing) throws SQLException {
        List<UUID> live = sql.lock(statements, ids, "TRUE");
        Set<UUID> messages = found(statements, ARCHIVE, ids);
        messages.addAll(live);
        StateCounts before = MessageChanges.states(statements, live);
        int archived = remove(statements, ARCHIVE, "id", ids);
        int attempts = remove(statements, "postroom_attempt", "message_id", ids);
        long inbox = 0;
        for (String consumer : consumers(statements)) {
            Where where = handled(consumer, ids);
            inbox += statements.update(in("postroom_inbox", where, REMOVE), where.values());
        }
        if (!live.isEmpty()) {
            statements.updateEach(REMOVE_LIVE, live.stream().map(List::of).toList());
        }
        before.add(archived, "archived");
        Effect effect = new Effect(messages.size(), 0, before.toString(), messages.size() + " erased");
        boolean found = before.sum() + attempts + inbox > 0;
        if (found || auditing.part() == 0) {
            audit.write(statements, auditing.matching(found ? ids.size() : 0), effect);
        }
        return new ErasureResult(
                messages.size(), messages.size(), new ErasureResult.Places(live.size(), archived, attempts, 0, inbox));
    }

    private static int remove(Statements statements, String table, String column, List<UUID> ids) throws SQLException {
        Where where = new Where().andIn(column, ids);
        return statements.update(in(table, where, REMOVE), where.values());
    }

    /** All of them, each found by the index that begins with it. */
    private static List<String> consumers(Statements statements) throws SQLException {
        List<String> consumers = new ArrayList<>();
        @Nullable String last = "";
        while (last != null) {
            List<String> next = new ArrayList<>();
            statements.all(NEXT_CONSUMER, List.of(last), row -> {
                String consumer = row.getString("consumer");
                return consumer == null || next.add(consumer);
            });
            last = next.isEmpty() ? null : next.get(0);
            consumers.addAll(next);
        }
        return consumers;
    }

    private static Where handled(String consumer, List<UUID> ids) {
        return new Where()
                .and("consumer = ?", consumer)
                .andIn("message_id", ids.stream().map(UUID::toString).toList());
    }

    private static String in(String table, Where where, String statement) {
        return where.in(statement.replace("{table}", table));
    }

    /** A key, and where to look for it. */
    record KeyPlace(String tenant, String key, boolean archived) {
        String table() {
            return archived ? ARCHIVE : LIVE;
        }
    }

    private record Key(String text, UUID message) {}
}
