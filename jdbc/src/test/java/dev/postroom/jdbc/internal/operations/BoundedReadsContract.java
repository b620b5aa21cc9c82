package dev.postroom.jdbc.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.OperationsStore;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What operators read costs no more when there is four times as much of everything: of each status, in one stream, in the
 * archive. With lists that look at 100 messages in place of 10,000, so that small tables are large ones.
 */
@Tag("I9")
@Tag("R54")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class BoundedReadsContract {
    static final int SEARCHED = 100;

    private static final int ROWS = 1_500;
    private static final int PAGE_SIZE = 20;

    /** Most kinds have more than is looked at; those that are asked for are at the other end, or among many others. */
    private static final String[] EVERYTHING = {"""
        INSERT INTO postroom_message (topic, ordering_key, payload)
        SELECT 'orders', 'queue', X'00' FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, ordering_key, payload)
        SELECT 'orders', 'crowd', X'00' FROM {numbers} WHERE n <= 200
        """, """
        INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error, attempts)
        SELECT 'orders', 'crowd', X'00', {now}, 'POISON', 'no price', 10 FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, payload, dead_at, reason, error, attempts)
        SELECT 'orders', X'00', {now}, 'POISON', 'no price', 10 FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error, attempts)
        SELECT 'orders', CONCAT('dead-', n), X'00', {now}, 'POISON', 'no price', 10 FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, ordering_key, payload, retry_at, attempts)
        SELECT 'orders', CONCAT('again-', n), X'00', {now}, 0 FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, ordering_key, payload, retry_at, failed_at, reason, error, attempts)
        SELECT 'orders', CONCAT('failed-', n), X'00', {now}, {now}, 'TIMEOUT', 'no answer', 3 FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, payload, available_at)
        SELECT 'later', X'00', {now} FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, payload, available_at)
        SELECT 'later', X'00', {tomorrow} FROM {numbers} WHERE n <= 50
        """, """
        INSERT INTO postroom_message (topic, ordering_key, payload)
        SELECT 'ready', CONCAT('ready-', MOD(n, 50)), X'00' FROM {numbers}
        """, """
        INSERT INTO postroom_message (topic, payload)
        SELECT 'rare', X'00' FROM {numbers} WHERE n <= 30
        """, """
        INSERT INTO postroom_archive (archived_at, seq, id, created_at, attempts, crashes, lane, outcome, tenant, topic,
            content_type, payload)
        SELECT {now}, n, {id}, {now}, 1, 0, 0, CASE WHEN MOD(n, 50) = 0 THEN 1 ELSE 0 END, '', 'orders', 'text/plain',
            X'00'
        FROM {numbers}
        """, """
        INSERT INTO postroom_attempt (message_id, attempt, at, reason, error)
        SELECT {id}, 1, {now}, 'TIMEOUT', 'no answer' FROM {numbers}
        """, """
        INSERT INTO postroom_audit (actor, action, target, reason, changed)
        SELECT 'alice', 'retry', 'one', 'fixed', 1 FROM {numbers}
        """};

    private OperationsStore operations;
    private Rows rows;
    private Map<String, Long> before;

    /** An empty database with the tables. */
    abstract TestDatabase database() throws SQLException;

    /** Through which the rows that are looked at can be counted. */
    abstract DataSource watched();

    /** How many rows were looked at since the last call. */
    abstract long lookedAt();

    abstract OperationsSql sql();

    /** With the database's own words for {@code {now}}, {@code {tomorrow}}, {@code {id}}, and {@code {numbers}} up to one. */
    abstract String written(String statement, int numbers);

    @BeforeAll
    void measure() throws SQLException {
        TestDatabase database = database();
        Transactions transactions = new Transactions(watched(), new SqlNames(TableNames.DEFAULT), sql());
        operations = new JdbcOperations(transactions, SEARCHED);
        rows = new Rows(database.dataSource(), sql());
        fill(database, ROWS);
        before = work();
        assertThat(before.get("listing a topic")).as("rows are counted").isGreaterThanOrEqualTo(SEARCHED);
        fill(database, 3 * ROWS);
    }

    @Test
    @Order(1)
    void every_read_costs_the_same_with_four_times_as_much() {
        assertCostsTheSame();
    }

    final void assertCostsTheSame() {
        Map<String, Long> after = work();
        assertThat(after)
                .allSatisfy((read, looked) -> assertThat(looked)
                        .as("rows looked at by %s, with a quarter of everything %d", read, before.get(read))
                        .isLessThan(before.get(read) * 3 / 2 + 5L * SEARCHED));
    }

    private Map<String, Long> work() {
        Map<String, Long> work = new LinkedHashMap<>();
        reads().forEach((name, read) -> {
            lookedAt();
            read.run();
            work.put(name, lookedAt());
        });
        return work;
    }

    private Map<String, Runnable> reads() {
        Map<String, Runnable> reads = new LinkedHashMap<>();
        Instant now = rows.now();
        addList(reads, "everything", filter -> filter);
        addList(reads, "a tenant", filter -> filter.tenant("t1"));
        addList(reads, "a topic", filter -> filter.topic("ready"));
        addList(reads, "another topic", filter -> filter.topic("orders"));
        addList(reads, "a rare topic", filter -> filter.topic("rare"));
        addList(reads, "no topic", filter -> filter.topic("none"));
        addList(reads, "a key", filter -> filter.key("crowd"));
        addList(reads, "a rare key", filter -> filter.key("dead-7"));
        addList(reads, "a topic and key", filter -> filter.topic("orders").key("crowd"));
        addList(reads, "a stream", filter -> filter.tenant("").key("crowd"));
        addList(
                reads,
                "a topic of a stream",
                filter -> filter.tenant("").topic("orders").key("crowd"));
        addList(reads, "a type", filter -> filter.type("t"));
        addList(reads, "a reason", filter -> filter.reason(FailureReason.POISON));
        addList(reads, "what was tried", filter -> filter.minAttempts(1));
        addList(reads, "what has no error", filter -> filter.hasError(false));
        addList(reads, "what is new", filter -> filter.createdAfter(now.minusSeconds(3600)));
        addList(reads, "what is old", filter -> filter.createdBefore(now));
        addList(reads, "what is stale", filter -> filter.staleFor(Duration.ZERO));
        addList(reads, "a text", filter -> filter.text("ready"));
        addList(reads, "no text", filter -> filter.text("none"));
        addList(
                reads,
                "an id",
                filter -> filter.text(UUID.nameUUIDFromBytes(new byte[0]).toString()));
        for (MessageStatus status : MessageStatus.values()) {
            addList(reads, status.label(), filter -> filter.status(status));
        }
        addList(
                reads,
                "the pending of no topic",
                filter -> filter.status(MessageStatus.PENDING).topic("none"));
        addList(
                reads,
                "the dead that are stale",
                filter -> filter.status(MessageStatus.DEAD).staleFor(Duration.ZERO));
        addList(
                reads,
                "the skipped of no key",
                filter -> filter.status(MessageStatus.SKIPPED).key("none"));
        addList(
                reads,
                "the blocked of a stream",
                filter -> filter.status(MessageStatus.BLOCKED)
                        .tenant("")
                        .topic("orders")
                        .key("crowd"));
        addList(
                reads,
                "the dead of a stream in which many wait",
                filter -> filter.status(MessageStatus.DEAD)
                        .tenant("")
                        .topic("orders")
                        .key("queue"));
        MessageFilter topic = filter(filter -> filter.topic("ready"));
        reads.put("the fourth page of a topic", () -> operations.list(topic, 3, PAGE_SIZE));
        reads.put("a page behind the last of a topic", () -> operations.list(topic, SEARCHED, PAGE_SIZE));
        reads.put("stats", operations::stats);
        reads.put("stats of a tenant", () -> operations.stats(Tenants.of(List.of("t1"))));
        reads.put("gauges", () -> operations.gauges(3));
        reads.put("failures", () -> operations.failures(Tenants.ALL, SEARCHED, 10));
        reads.put("blocked streams", () -> operations.blockedStreams(Tenants.ALL, 10));
        reads.put("failures of a tenant", () -> operations.failures(Tenants.of(List.of("t1")), SEARCHED, 10));
        reads.put("blocked streams of a tenant", () -> operations.blockedStreams(Tenants.of(List.of("t1")), 10));
        reads.put("audit", () -> operations.audit(3, PAGE_SIZE));
        UUID blocked = rows.ready("orders", "crowd");
        reads.put(
                "a blocked message",
                () -> assertThat(operations
                                .find(blocked, 10)
                                .orElseThrow()
                                .item()
                                .status())
                        .isEqualTo(MessageStatus.BLOCKED));
        UUID behind = rows.ready("orders", "queue");
        reads.put(
                "a message behind many",
                () -> assertThat(operations.find(behind, 10).orElseThrow().whyNotSent())
                        .anyMatch(sentence -> sentence.startsWith("Waits behind message")));
        reads.put("no message", () -> operations.find(UUID.randomUUID(), 10));
        MessageFilter none = filter(filter -> filter.tenant("").topic("ready").key("none"));
        reads.put("counting no stream", () -> operations.count(none, Change.SKIP, 10));
        reads.put("choosing of no stream", () -> operations.select(none, Change.SKIP, 10));
        MessageFilter queue = filter(filter -> filter.tenant("").topic("orders").key("queue"));
        reads.put("counting what failed in a stream", () -> operations.count(queue, Change.RETRY, 10));
        reads.put("choosing what failed in a stream", () -> operations.select(queue, Change.RETRY, 10));
        return reads;
    }

    private void addList(Map<String, Runnable> reads, String name, UnaryOperator<MessageFilter.Builder> narrowed) {
        MessageFilter filter = filter(narrowed);
        reads.put("listing " + name, () -> operations.list(filter, 0, PAGE_SIZE));
    }

    private static MessageFilter filter(UnaryOperator<MessageFilter.Builder> narrowed) {
        return narrowed.apply(MessageFilter.builder()).build();
    }

    private void fill(TestDatabase database, int each) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String kind : EVERYTHING) {
                statement.execute(written(kind, each));
            }
        }
    }
}
