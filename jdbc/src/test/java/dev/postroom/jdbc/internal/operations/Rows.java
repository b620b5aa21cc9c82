package dev.postroom.jdbc.internal.operations;

import static org.awaitility.Awaitility.await;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.spi.TableNames;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Puts rows into the tables as writers and relays would leave them, and looks at them. */
final class Rows {
    private static final List<String> TABLES = List.of(
            "postroom_archive",
            "postroom_attempt",
            "postroom_dedup",
            "postroom_node",
            "postroom_destination",
            "postroom_routing",
            "postroom_pause",
            "postroom_inbox",
            "postroom_audit");

    private static final String ARCHIVE = """
            INSERT INTO postroom_archive (archived_at, seq, id, created_at, attempts, crashes, lane, outcome, tenant,
                topic, ordering_key, content_type, payload)
            VALUES (?, ?, ?, ?, 0, 0, 0, ?, '', ?, ?, 'application/json', ?)
            """;

    private final DataSource dataSource;
    private final OperationsSql sql;

    Rows(DataSource dataSource, OperationsSql sql) {
        this.dataSource = dataSource;
        this.sql = sql;
    }

    void clear() {
        // What was deleted still counts as the table's size, from which PostgreSQL estimates how much is in it. MariaDB
        // has
        // refused it at once for want of a lock that nobody here holds, on a server that others use too: it is tried
        // again.
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> update("TRUNCATE TABLE postroom_message"));
        for (String table : TABLES) {
            update("DELETE FROM " + table);
        }
        update("UPDATE postroom_lane SET owner = NULL, lease_until = NULL, routing = NULL");
    }

    Instant now() {
        return run(Statements::now);
    }

    /** A message that was just written. */
    UUID ready(String topic, String key) {
        return ready("", topic, key);
    }

    UUID ready(String tenant, String topic, String key) {
        UUID id = UUID.randomUUID();
        update(
                "INSERT INTO postroom_message (id, tenant, topic, ordering_key, payload) VALUES (?, ?, ?, ?, ?)",
                id,
                tenant,
                topic,
                key,
                "{}".getBytes(StandardCharsets.UTF_8));
        return id;
    }

    UUID delayed(String topic, String key, Duration by) {
        UUID id = ready(topic, key);
        update("UPDATE postroom_message SET available_at = ? WHERE id = ?", now().plus(by), id);
        return id;
    }

    /** Failed so many times and to be tried again; a past time is a negative duration. */
    UUID waiting(String topic, String key, int attempts, Duration retryIn) {
        UUID id = ready(topic, key);
        Instant now = now();
        update(
                "UPDATE postroom_message SET retry_at = ?, failed_at = ?, attempts = ?, reason = 'TIMEOUT',"
                        + " error = 'no answer within 5 s', version = ? WHERE id = ?",
                now.plus(retryIn),
                now,
                attempts,
                attempts,
                id);
        return id;
    }

    UUID dead(String topic, String key) {
        return dead(topic, key, "order 7 has no price");
    }

    UUID dead(String topic, String key, String error) {
        UUID id = ready(topic, key);
        update(
                "UPDATE postroom_message SET dead_at = ?, failed_at = ?, attempts = 10, crashes = 1, reason = 'POISON',"
                        + " error = ?, version = 10 WHERE id = ?",
                now(),
                now(),
                error,
                id);
        return id;
    }

    UUID processed(long seq, String topic, String key, Duration ago) {
        UUID id = UUID.randomUUID();
        archive(seq, id, topic, key, 0, now().minus(ago));
        return id;
    }

    UUID skipped(long seq, String topic, String key, Duration ago) {
        UUID id = UUID.randomUUID();
        archive(seq, id, topic, key, 1, now().minus(ago));
        return id;
    }

    /** With the seqs from 0. */
    List<UUID> processedMany(String topic, int count) {
        Instant at = now().minusSeconds(60);
        List<UUID> ids = Stream.generate(UUID::randomUUID).limit(count).toList();
        List<List<Object>> each = new ArrayList<>();
        for (UUID id : ids) {
            each.add(archived(each.size(), id, topic, null, 0, at));
        }
        run(tx -> tx.updateEach(ARCHIVE, each));
        return ids;
    }

    void archive(long seq, UUID id, String topic, String key, int outcome, Instant at) {
        update(ARCHIVE, archived(seq, id, topic, key, outcome, at).toArray());
    }

    private static List<Object> archived(long seq, UUID id, String topic, String key, int outcome, Instant at) {
        return Arrays.asList(
                at, seq, id, at.minusSeconds(1), outcome, topic, key, "{}".getBytes(StandardCharsets.UTF_8));
    }

    void attempt(UUID id, int attempt, Duration ago, String error, String destination) {
        update(
                "INSERT INTO postroom_attempt (message_id, attempt, at, reason, error, destination, node)"
                        + " VALUES (?, ?, ?, 'TIMEOUT', ?, ?, 'relay-1')",
                id,
                attempt,
                now().minus(ago),
                error,
                destination);
    }

    void node(String name, Duration seenAgo, String details) {
        update(
                "INSERT INTO postroom_node (node, host, version, started_at, last_seen, details)"
                        + " VALUES (?, 'host-1', '0.1.0', ?, ?, ?)",
                name,
                now().minus(seenAgo),
                now().minus(seenAgo),
                details);
    }

    /** What a relay does not see: the columns that decide how the row is read and fenced. */
    record Live(
            int state,
            int attempts,
            int crashes,
            int version,
            boolean released,
            Instant retryAt,
            Instant availableAt,
            String reason,
            String error,
            String onlyDestination,
            long seq) {}

    /** The row, or null. */
    Live live(UUID id) {
        List<Live> rows = run(tx -> tx.all(
                "SELECT m.state, m.attempts, m.crashes, m.version, m.released, m.retry_at, m.available_at, m.reason,"
                        + " m.error, m.only_destination, m.seq FROM postroom_message m WHERE m.id = ?",
                List.of(id),
                row -> new Live(
                        row.getInt("state"),
                        row.getInt("attempts"),
                        row.getInt("crashes"),
                        row.getInt("version"),
                        row.getBoolean("released"),
                        tx.timestamps().get(row, "retry_at"),
                        tx.timestamps().get(row, "available_at"),
                        row.getString("reason"),
                        row.getString("error"),
                        row.getString("only_destination"),
                        row.getLong("seq"))));
        return rows.isEmpty() ? null : rows.get(0);
    }

    long count(String text, Object... values) {
        return run(tx -> tx.count(text, Arrays.asList(values)));
    }

    int update(String text, Object... values) {
        return run(tx -> tx.update(text, Arrays.asList(values)));
    }

    void readyMany(String topic, String key, int count) {
        List<List<Object>> each = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            each.add(List.of(topic, key, new byte[] {1}));
        }
        run(tx -> tx.updateEach("INSERT INTO postroom_message (topic, ordering_key, payload) VALUES (?, ?, ?)", each));
    }

    void readyMany(String topic, int count) {
        List<List<Object>> each = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            each.add(List.of(topic, new byte[] {1}));
        }
        run(tx -> tx.updateEach("INSERT INTO postroom_message (topic, payload) VALUES (?, ?)", each));
    }

    private <T> T run(Transactions.Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            T result = work.with(new Statements(connection, new SqlNames(TableNames.DEFAULT), sql));
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
