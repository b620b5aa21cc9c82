package dev.postroom.jdbc.internal.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageAnswer.Page;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import dev.postroom.spi.StreamRead;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads for followers look at no more than their limits say where the table has much of what they must pass by. */
@Tag("I9")
@Tag("R34")
class PostgresFollowPlansTest {
    /** How much of everything; with {@code ./postroom test --all} what a busy outbox may have. */
    private static final int MUCH = Boolean.getBoolean("postroom.test.all") ? 300_000 : 40_000;

    private static final ReadBounds BOUNDS = new ReadBounds(new RowLimits(1 << 20, 64, 1 << 14), 4 << 20);
    private static final int LATE_LIMIT = 500;
    private static final int STEP = 10_000;

    private final TestDatabase database = Postgres.newest().freshDatabase();
    private final PlanRecorder recorder = new PlanRecorder(database.dataSource());
    private final Store store = Store.open(recorder.dataSource(), TableNames.DEFAULT);
    private FollowReader reader;

    @BeforeEach
    void migrate() throws SQLException {
        store.schema().migrate();
        execute("ALTER TABLE postroom_message SET (autovacuum_enabled = off)");
        reader = store.openFollowReader(Owing.EVERYWHERE);
    }

    @AfterEach
    void close() {
        reader.close();
    }

    @Test
    @Tag("R33")
    void a_late_transaction_is_found_in_bounded_statements() throws SQLException {
        try (Connection slow = database.connect()) {
            slow.setAutoCommit(false);
            execute(slow, """
                    INSERT INTO postroom_message (topic, ordering_key, payload)
                    SELECT 'orders', 'late-' || n, convert_to(repeat('x', 1024), 'UTF8') FROM generate_series(1, %d) n
                    """.formatted(MUCH));
            execute("INSERT INTO postroom_message (topic, payload) VALUES ('orders', '')");
            Page first = (Page) read(null, 0);
            long last = first.ranges().get(0).end();
            assertThat(last).isEqualTo(MUCH + 1L);
            slow.commit();
            recorder.take();

            assertThat(read(first.next(), last)).isInstanceOf(PageAnswer.LateCut.class);
            assertThat(onlyPlan().tableRowsLookedAt()).isLessThanOrEqualTo(LATE_LIMIT + 1L);

            Mark mark = first.next();
            for (int steps = 0; ; steps++) {
                LateFloor.Part part = (LateFloor.Part) reader.lateFloor(mark, reaches(last), STEP);
                Plan plan = onlyPlan();
                assertThat(plan.tableRowsLookedAt()).as(plan.steps()).isLessThanOrEqualTo(STEP);
                mark = part.next();
                if (part.complete()) {
                    assertThat(steps).isEqualTo(MUCH / STEP);
                    assertThat(part.lowest().stream().mapToLong(Reach::highest).min())
                            .hasValue(1);
                    break;
                }
            }
            assertThat(((Page) read(mark, last)).late()).isEmpty();
        }
    }

    @Test
    void one_stream_of_very_many_rows_is_read_in_pieces_and_asked_for_its_holders_without_wading() throws SQLException {
        execute("""
                INSERT INTO postroom_message (topic, ordering_key, payload)
                SELECT 'orders', 'k', '\\x00' FROM generate_series(1, %d) n
                """.formatted(MUCH));
        execute("""
                INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason)
                SELECT 'orders', 'dead', '\\x00', now(), 'POISON' FROM generate_series(1, %d) n
                """.formatted(MUCH));
        for (String statistics : List.of("SELECT 1", "ANALYZE")) {
            execute(statistics);
            long many = Long.parseLong(value("SELECT postroom_stream_of('', 'k')"));
            long dead = Long.parseLong(value("SELECT postroom_stream_of('', 'dead')"));
            recorder.take();

            StreamRead.Rows piece = reader.readStreams(List.of(new StreamRead.Ask(many, 0, 1, 64)), BOUNDS)
                    .streams()
                    .get(0);
            assertThat(piece.rows()).hasSize(64);
            assertThat(piece.cut()).isTrue();
            assertBounded(onlyPlan(), 64 + 1, 200);

            assertThat(reader.holders(List.of(many, dead))).hasSize(1);
            assertBounded(onlyPlan(), 8, 40);

            long lane = Long.parseLong(value("SELECT max(lane) FROM postroom_message WHERE ordering_key = 'k'"));
            PageRequest request = request(null, List.of(new Range((int) lane, 0, Long.MAX_VALUE, 64)), 0);
            assertThat(((Page) reader.read(request)).ranges().get(0).rows()).hasSize(64);
            assertBounded(onlyPlan(), 64 + 1, 64 * 12);
        }
    }

    /** Transactions from a restored dump have numbers that this server has yet to give out. */
    @Test
    @Tag("R62")
    void rows_of_another_clusters_transactions_are_not_looked_at_again_and_again() throws SQLException {
        execute("""
                INSERT INTO postroom_message (tx, topic, payload)
                SELECT 1000000000 + n, 'orders', '\\x00' FROM generate_series(1, %d) n
                """.formatted(MUCH));
        long last = MUCH;
        Page first = (Page) read(null, last);
        recorder.take();

        Page next = (Page) read(first.next(), last);
        assertThat(next.late()).isEmpty();
        assertBounded(onlyPlan(), LaneStore.LANES, 64 * 12);
    }

    private static void assertBounded(Plan plan, long rows, long pages) {
        assertThat(plan.mostRowsLookedAt())
                .as("rows looked at by %s", plan.steps())
                .isLessThanOrEqualTo(rows);
        assertThat(plan.pages()).as("pages looked at by %s", plan.steps()).isLessThanOrEqualTo(pages);
        assertThat(plan.cost()).as("cost of %s", plan.steps()).isLessThan(Plan.SWITCHED_OFF);
    }

    private Plan onlyPlan() {
        List<String> plans = recorder.take();
        assertThat(plans).hasSize(1);
        return Plan.parse(plans.get(0));
    }

    private PageAnswer read(@Nullable Mark mark, long position) {
        List<Range> ranges = IntStream.range(0, LaneStore.LANES)
                .mapToObj(lane -> new Range(lane, position, Long.MAX_VALUE, 1_000))
                .toList();
        return reader.read(request(mark, ranges, position));
    }

    private static PageRequest request(@Nullable Mark mark, List<Range> ranges, long reach) {
        return new PageRequest(mark, reaches(reach), ranges, LATE_LIMIT, Due.NONE, Sweep.NONE, BOUNDS);
    }

    private static List<Reach> reaches(long highest) {
        return IntStream.range(0, LaneStore.LANES)
                .mapToObj(lane -> new Reach(lane, highest))
                .toList();
    }

    private String value(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = database.connect()) {
            execute(connection, statements);
        }
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
