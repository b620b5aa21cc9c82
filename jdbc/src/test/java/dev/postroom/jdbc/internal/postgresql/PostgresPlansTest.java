package dev.postroom.jdbc.internal.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Stream;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.DuePosition;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.Mark;
import dev.postroom.spi.MessageReader.Page;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a million pending, a million dead and many delayed rows no statement of the hot path looks at more than a page. */
@Tag("I9")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresPlansTest {
    private static final int PER_LANE = 8;
    private static final int PAGE = PER_LANE * LaneStore.LANES;
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestDatabase database = Postgres.newest().freshDatabase();
    private final PlanRecorder recorder = new PlanRecorder(database.dataSource());
    private final Store store = Store.open(recorder.dataSource(), TableNames.DEFAULT);

    /** Statistics are left as they were while the tables were empty: that is when plans go wrong. */
    @BeforeAll
    void a_large_backlog() throws SQLException {
        store.schema().migrate();
        execute(
                "ALTER TABLE postroom_message SET (autovacuum_enabled = off)",
                "SET synchronous_commit = off",
                """
                INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error, attempts)
                SELECT 'orders', 'dead-' || n, '\\x00', now(), 'POISON', 'x', 10 FROM generate_series(1, 1000000) n
                """,
                """
                INSERT INTO postroom_message (topic, ordering_key, payload)
                SELECT 'orders', 'order-' || n % 50000, '\\x00' FROM generate_series(1, 1000000) n
                """,
                """
                INSERT INTO postroom_message (topic, payload, available_at)
                SELECT 'later', '\\x00', now() - interval '1 hour' + n * interval '1 second'
                FROM generate_series(1, 20000) n
                """,
                """
                INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
                SELECT '', 'key-' || n, gen_random_uuid(), now() + interval '7 days' FROM generate_series(1, 200000) n
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"statistics of an empty table", "fresh statistics"})
    void reading_looks_at_a_page(String statistics) throws SQLException {
        refresh(statistics);
        try (MessageReader reader = store.openReader()) {
            Page first = read(reader, null, new long[LaneStore.LANES]);
            assertThat(first.rows()).hasSize(PAGE);
            assertBounded(recorder.take(), PAGE * 4);

            read(reader, first.next(), cursors(first));
            assertBounded(recorder.take(), PAGE * 4);

            assertThat(reader.readDue(new MessageReader.DueRequest(duePositions(), PER_LANE, 1 << 20)))
                    .hasSizeBetween(1, PAGE);
            assertBounded(recorder.take(), PAGE * 4);

            reader.fetch(first.rows().stream().map(StoredMessage::key).toList(), 1 << 20);
            assertBounded(recorder.take(), PAGE * 4);

            reader.fetchReady(0, List.of(first.rows().get(0).key().seq()), 1 << 20);
            assertBounded(recorder.take(), PAGE);

            assertThat(reader.holders(new Stream("", "orders", "dead-77"), 10)).hasSize(1);
            assertBounded(recorder.take(), PAGE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"statistics of an empty table", "fresh statistics"})
    void settling_looks_at_the_batch(String statistics) throws SQLException {
        refresh(statistics);
        try (LaneStore lanes = store.openLanes();
                MessageReader reader = store.openReader();
                MessageSettler settler = store.openSettler()) {
            List<LaneStore.Lease> leases = acquireAll(lanes);
            List<StoredMessage> rows =
                    read(reader, null, new long[LaneStore.LANES]).rows();
            recorder.take();

            settler.settle(successes(rows.subList(0, 100), false, 1));
            assertBounded(recorder.take(), PAGE * 2);
            settler.settle(successes(rows.subList(100, 200), true, 1));
            assertBounded(recorder.take(), PAGE * 2);
            settler.settle(successes(rows.subList(200, 300), true, 3));
            assertBounded(recorder.take(), PAGE * 2);
            MessageSettler.Settled failed = settler.settle(failures(rows.subList(300, 400), leases));
            assertThat(failed.stale()).isEmpty();
            assertBounded(recorder.take(), PAGE * 2);
            settler.suspect("plans", suspects(rows.subList(400, 410), leases));
            assertBounded(recorder.take(), PAGE * 2);
            lanes.release("plans", leases);
        }
    }

    @Test
    void publishing_looks_at_nothing_but_its_keys() throws SQLException {
        Outbox outbox = Outbox.on(recorder.dataSource());
        recorder.take();
        outbox.inTransaction(tx -> {
            tx.publish(Message.to("orders").key("1"));
            tx.publishAll(IntStream.range(0, 100)
                    .mapToObj(n -> Message.to("orders").key("1").idempotencyKey("key-" + n * 7))
                    .toList());
        });
        assertBounded(recorder.take(), PAGE);
    }

    /** Rows that were deleted while somebody holds a snapshot stay in the index; a read starts behind them. */
    @Test
    void reading_does_not_wade_through_what_was_deleted_under_a_held_snapshot() throws SQLException {
        try (Connection holding = database.connect();
                MessageReader reader = store.openReader();
                MessageSettler settler = store.openSettler()) {
            hold(holding);
            long[] cursors = new long[LaneStore.LANES];
            Mark mark = null;
            long firstPages = 0;
            long lastPages = 0;
            for (int turn = 0; turn < 40; turn++) {
                recorder.take();
                Page page = read(reader, mark, cursors);
                lastPages = assertBounded(recorder.take(), PAGE * 4).get(0).pages();
                firstPages = turn == 0 ? lastPages : firstPages;
                mark = page.next();
                cursors = cursors(page);
                assertThat(page.rows()).hasSize(PAGE);
                settler.settle(successes(page.rows(), false, 1));
            }
            assertThat(lastPages).isLessThan(firstPages * 2);
            holding.rollback();
        }
    }

    private List<Plan> assertBounded(List<String> notices, long mostRows) {
        assertThat(notices).as("plans seen").isNotEmpty();
        List<Plan> plans = notices.stream().map(Plan::parse).toList();
        for (Plan plan : plans) {
            assertThat(plan.scannedTables())
                    .as("tables scanned by %s", plan.steps())
                    .doesNotContain("postroom_message", "postroom_dedup", "postroom_archive", "postroom_attempt");
            assertThat(plan.mostRowsLookedAt())
                    .as("rows looked at by %s", plan.steps())
                    .isLessThanOrEqualTo(mostRows);
            assertThat(plan.sortedRows())
                    .as("rows sorted by %s", plan.steps())
                    .isLessThanOrEqualTo(PAGE);
            assertThat(plan.pages())
                    .as("pages looked at by %s", plan.steps())
                    .isGreaterThan(0)
                    .isLessThan(20L * PAGE);
        }
        return plans;
    }

    private static Page read(MessageReader reader, @Nullable Mark mark, long[] cursors) {
        List<LanePosition> positions = IntStream.range(0, LaneStore.LANES)
                .mapToObj(lane -> new LanePosition(lane, cursors[lane], PER_LANE))
                .toList();
        return reader.read(new MessageReader.ReadRequest(mark, positions, 1 << 20));
    }

    private static long[] cursors(Page page) {
        long[] cursors = new long[LaneStore.LANES];
        for (StoredMessage row : page.rows()) {
            cursors[row.key().lane()] =
                    Math.max(cursors[row.key().lane()], row.key().seq());
        }
        return cursors;
    }

    private static List<DuePosition> duePositions() {
        return IntStream.range(0, LaneStore.LANES)
                .mapToObj(lane -> new DuePosition(lane, null, 0))
                .toList();
    }

    private static List<LaneStore.Lease> acquireAll(LaneStore lanes) {
        List<Integer> all = IntStream.range(0, LaneStore.LANES).boxed().toList();
        List<LaneStore.Lease> leases = new ArrayList<>(lanes.acquire("plans", all, LEASE));
        assertThat(leases).hasSize(LaneStore.LANES);
        return leases;
    }

    private static MessageSettler.Batch successes(List<StoredMessage> rows, boolean archive, long route) {
        List<MessageSettler.Success> successes = rows.stream()
                .map(row -> new MessageSettler.Success(row.key(), 1, route))
                .toList();
        return new MessageSettler.Batch("plans", successes, List.of(), archive, List.of());
    }

    private static MessageSettler.Batch failures(List<StoredMessage> rows, List<LaneStore.Lease> leases) {
        MessageSettler.Cause cause = new MessageSettler.Cause(FailureReason.TIMEOUT, "no answer", "somewhere");
        List<MessageSettler.Failure> failures = rows.stream()
                .map(row -> new MessageSettler.Failure(
                        row.key(),
                        row.progress().version(),
                        epoch(row, leases),
                        1,
                        Duration.ofMinutes(1),
                        true,
                        0,
                        cause))
                .toList();
        return new MessageSettler.Batch("plans", List.of(), failures, true, List.of());
    }

    private static List<MessageSettler.Suspect> suspects(List<StoredMessage> rows, List<LaneStore.Lease> leases) {
        return rows.stream()
                .map(row -> new MessageSettler.Suspect(row.key(), row.progress().version(), epoch(row, leases), 1))
                .toList();
    }

    private static long epoch(StoredMessage row, List<LaneStore.Lease> leases) {
        return leases.stream()
                .filter(lease -> lease.lane() == row.key().lane())
                .findFirst()
                .orElseThrow()
                .epoch();
    }

    private static void hold(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM postroom_lane")) {
            assertThat(row.next()).isTrue();
        }
    }

    private void refresh(String statistics) throws SQLException {
        if (statistics.startsWith("fresh")) {
            execute("ANALYZE");
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
