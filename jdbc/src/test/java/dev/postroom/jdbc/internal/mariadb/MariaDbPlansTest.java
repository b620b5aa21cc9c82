package dev.postroom.jdbc.internal.mariadb;

import static dev.postroom.jdbc.internal.HotPath.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.internal.FollowPath;
import dev.postroom.jdbc.internal.HotPath;
import dev.postroom.jdbc.internal.ListPath;
import dev.postroom.jdbc.internal.OneConnection;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With many pending and dead rows no step of the hot path reads or sorts more than pages. The server
 * counts what a session reads row by row, dead entries included, which tells more than the plan that was meant.
 */
@Tag("I9")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MariaDbPlansTest {
    private final TestDatabase database = MariaDb.newest().freshDatabase();
    private Connection connection;
    private Store store;
    private long readBefore;
    private long sortedBefore;

    @BeforeAll
    void a_large_backlog() throws SQLException {
        connection = database.connect();
        store = Store.open(new OneConnection(connection), TableNames.DEFAULT);
        store.schema().migrate();
        execute("""
                INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error, attempts)
                SELECT 'orders', CONCAT('dead-', seq), '0', UTC_TIMESTAMP(6), 'POISON', 'x', 10 FROM seq_1_to_%d
                """.formatted(HotPath.BACKLOG), """
                INSERT INTO postroom_message (topic, ordering_key, payload)
                SELECT 'orders', CONCAT('order-', seq %% 50000), '0' FROM seq_1_to_%d
                """.formatted(HotPath.BACKLOG), """
                INSERT INTO postroom_message (topic, payload, available_at)
                SELECT 'later', '0', UTC_TIMESTAMP(6) - INTERVAL 1 HOUR + INTERVAL seq SECOND FROM seq_1_to_20000
                """, """
                INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
                SELECT '', CONCAT('key-', seq), UUID(), UTC_TIMESTAMP(6) + INTERVAL 7 DAY FROM seq_1_to_200000
                """);
    }

    @AfterAll
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"statistics as they are", "fresh statistics"})
    void every_step_reads_no_more_than_pages(String statistics) throws SQLException {
        if (statistics.startsWith("fresh")) {
            execute("ANALYZE TABLE postroom_message");
        }
        HotPath steps = new HotPath(store, this::assertBounded);
        count();
        new FollowPath(store, this::assertBounded).read();
        steps.settle();
        steps.publish(Outbox.on(new OneConnection(connection)));
        steps.drain(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"statistics as they are", "fresh statistics"})
    void every_list_reads_a_bounded_number_of_rows(String statistics) throws SQLException {
        if (statistics.startsWith("fresh")) {
            execute("ANALYZE TABLE postroom_message");
        }
        ListPath steps = new ListPath(store, this::assertWindowed);
        count();
        steps.lists();
    }

    /** Rows are read to measure the window, to put it into a table and to search that, and are probed for what holds them. */
    private void assertWindowed(String step) {
        long read = readBefore;
        count();
        assertThat(readBefore - read).as("rows read in %s", step).isLessThan(10 * ListPath.MOST);
    }

    private void assertBounded(String step) {
        long read = readBefore;
        long sorted = sortedBefore;
        count();
        // A row ahead is looked up, probed for what holds it and for what is before it: some reads each.
        assertThat(readBefore - read).as("rows read in %s", step).isLessThan(30L * PAGE);
        assertThat(sortedBefore - sorted).as("rows sorted in %s", step).isLessThanOrEqualTo(4L * PAGE);
    }

    private void count() {
        readBefore = counter("Handler_read_%");
        sortedBefore = counter("Sort_rows");
    }

    private long counter(String name) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT SUM(VARIABLE_VALUE)"
                        + " FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME LIKE '" + name + "'")) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
