package dev.postroom.jdbc.internal.postgresql;

import static dev.postroom.jdbc.internal.HotPath.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.internal.FollowPath;
import dev.postroom.jdbc.internal.HotPath;
import dev.postroom.jdbc.internal.ListPath;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With many pending, dead and delayed rows no statement of the hot path looks at more than a page. */
@Tag("I9")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PostgresPlansTest {
    private static final String[] BACKLOG = {
        "ALTER TABLE postroom_message SET (autovacuum_enabled = off)",
        "SET synchronous_commit = off",
        """
        INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error, attempts)
        SELECT 'orders', 'dead-' || n, '\\x00', now(), 'POISON', 'x', 10 FROM generate_series(1, %d) n
        """.formatted(HotPath.BACKLOG),
        """
        INSERT INTO postroom_message (topic, ordering_key, payload)
        SELECT 'orders', 'order-' || n %% 50000, '\\x00' FROM generate_series(1, %d) n
        """.formatted(HotPath.BACKLOG),
        """
        INSERT INTO postroom_message (topic, payload, available_at)
        SELECT 'later', '\\x00', now() - interval '1 hour' + n * interval '1 second' FROM generate_series(1, 20000) n
        """,
        "ALTER TABLE postroom_archive_default SET (autovacuum_enabled = off)",
        """
        INSERT INTO postroom_archive (seq, id, created_at, attempts, crashes, lane, outcome, tenant, topic, content_type,
            payload)
        SELECT n, gen_random_uuid(), now(), 1, 0, 0, 0, '', 'orders', 'text/plain', '\\x00' FROM generate_series(1, 100000) n
        """,
        """
        INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
        SELECT '', 'key-' || n, gen_random_uuid(), now() + interval '7 days' FROM generate_series(1, 200000) n
        """
    };

    private final TestDatabase database = Postgres.newest().freshDatabase();
    private final PlanRecorder recorder = new PlanRecorder(database.dataSource());
    private final Store store = Store.open(recorder.dataSource(), TableNames.DEFAULT);
    /** Without statistics of so many holders, the planner expects hundreds for each row of a read. */
    private double dearest = Plan.SWITCHED_OFF;

    @BeforeAll
    void a_large_backlog() throws SQLException {
        store.schema().migrate();
        execute(BACKLOG);
        recorder.take();
    }

    /** Plans go wrong when the statistics date from when the table was empty. */
    @ParameterizedTest
    @ValueSource(strings = {"statistics of an empty table", "fresh statistics"})
    void every_step_looks_at_no_more_than_a_page(String statistics) throws SQLException {
        refresh(statistics);
        HotPath steps = new HotPath(store, step -> assertBounded(step, recorder.take()));
        new FollowPath(store, step -> assertBounded(step, recorder.take())).read();
        steps.settle();
        steps.publish(Outbox.on(recorder.dataSource()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"statistics of an empty table", "fresh statistics"})
    void every_list_looks_at_a_bounded_number_of_rows(String statistics) throws SQLException {
        refresh(statistics);
        ListPath steps = new ListPath(store, step -> assertWindowed(step, recorder.take()));
        recorder.take();
        steps.lists();
        steps.overview();
        steps.selections();
        steps.lookUps();
    }

    @ParameterizedTest
    @ValueSource(strings = {"statistics of an empty table", "fresh statistics"})
    @Tag("R34")
    void a_step_of_a_purge_looks_at_what_it_removes(String statistics) throws SQLException {
        refresh(statistics);
        recorder.take();
        assertThat(store.maintenance().purgeArchive(Duration.ZERO, 1_000)).isEqualTo(1_000);
        for (String notice : recorder.take()) {
            Plan plan = Plan.parse(notice);
            assertThat(plan.mostRowsLookedAt())
                    .as("rows looked at by %s", plan.steps())
                    .isLessThanOrEqualTo(2_000);
        }
    }

    /** That no step is one that the session has switched off. A list may look dear: it goes through thousands of rows. */
    private static void assertHasIndexes(String step, Plan plan) {
        assertThat(plan.cost()).as("cost of %s by %s", step, plan.steps()).isLessThan(Plan.SWITCHED_OFF);
        assertThat(plan.isCompiled()).as("compiled in %s", step).isFalse();
    }

    private static void assertWindowed(String step, List<String> notices) {
        for (Plan plan : notices.stream().map(Plan::parse).toList()) {
            assertThat(plan.mostRowsLookedAt())
                    .as("rows looked at in %s by %s", step, plan.steps())
                    .isLessThanOrEqualTo(ListPath.MOST);
            assertHasIndexes(step, plan);
            // A row of a lane is on a page of its own, and what holds it is three pages away.
            assertThat(plan.pages())
                    .as("pages looked at in %s by %s", step, plan.steps())
                    .isLessThan(5 * ListPath.MOST);
        }
    }

    /**
     * Rows that were deleted while somebody holds a snapshot stay in the index; a read starts behind them. Last, because
     * whoever then begins at the first row meets them once.
     */
    @Test
    @Order(Integer.MAX_VALUE)
    void reading_does_not_wade_through_what_was_deleted_under_a_held_snapshot() throws SQLException {
        List<Long> pages = new ArrayList<>();
        try (Connection holding = database.connect()) {
            hold(holding);
            HotPath steps = new HotPath(store, step -> {
                List<Plan> plans = assertBounded(step, recorder.take());
                if (step.startsWith("read")) {
                    pages.add(plans.get(0).pages());
                }
            });
            steps.drain(40);
            holding.rollback();
        }
        assertThat(pages.get(39)).isLessThan(pages.get(0) * 2);
    }

    private List<Plan> assertBounded(String step, List<String> notices) {
        assertThat(notices).as("plans of %s", step).isNotEmpty();
        List<Plan> plans = notices.stream().map(Plan::parse).toList();
        for (Plan plan : plans) {
            assertThat(plan.scannedTables())
                    .as("tables scanned in %s by %s", step, plan.steps())
                    .doesNotContain("postroom_message", "postroom_dedup", "postroom_archive", "postroom_attempt");
            assertThat(plan.mostRowsLookedAt())
                    .as("rows looked at in %s by %s", step, plan.steps())
                    .isLessThanOrEqualTo(PAGE * 4L);
            assertHasIndexes(step, plan);
            assertThat(plan.cost()).as("cost of %s by %s", step, plan.steps()).isLessThan(dearest);
            assertThat(plan.sortedRows())
                    .as("rows sorted in %s by %s", step, plan.steps())
                    .isLessThanOrEqualTo(PAGE);
            assertThat(plan.pages())
                    .as("pages looked at in %s by %s", step, plan.steps())
                    .isLessThan(20L * PAGE);
        }
        return plans;
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
        boolean fresh = statistics.startsWith("fresh");
        dearest = fresh ? Plan.COMPILED_ABOVE : Plan.SWITCHED_OFF;
        execute(
                fresh
                        ? "ANALYZE"
                        : "WITH forgotten AS (DELETE FROM pg_statistic WHERE starelid IN ('postroom_message'::regclass,"
                                + " 'postroom_archive_default'::regclass)),"
                                + " those_of_streams AS (DELETE FROM pg_statistic_ext_data)"
                                + " UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relname LIKE 'postroom_%'");
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
