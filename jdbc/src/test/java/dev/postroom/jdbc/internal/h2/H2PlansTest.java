package dev.postroom.jdbc.internal.h2;

import static dev.postroom.jdbc.internal.HotPath.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.internal.FollowPath;
import dev.postroom.jdbc.internal.HotPath;
import dev.postroom.jdbc.internal.ListPath;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With 40,000 pending and 40,000 dead rows no statement of the hot path scans a table or more than pages. Not as many as for
 * the others: filling takes H2 minutes, and its plans do not depend on how many rows there are.
 */
@Tag("I9")
class H2PlansTest {
    private static final Pattern TABLE_SCAN =
            Pattern.compile("POSTROOM_(MESSAGE|DEDUP|ARCHIVE|ATTEMPT)\\.tableScan", Pattern.CASE_INSENSITIVE);
    private static final Pattern SCAN_COUNT = Pattern.compile("scanCount: (\\d+)");

    @Test
    void every_step_looks_at_no_more_than_pages(@TempDir Path folder) throws SQLException {
        TestDatabase database = H2.freshDatabase(folder);
        // Stays open, so that the database does too.
        try (Connection connection = database.connect()) {
            ExplainedConnections explained = new ExplainedConnections(database.dataSource());
            Store store = Store.open(explained.dataSource(), TableNames.DEFAULT);
            store.schema().migrate();
            fill(connection);
            explained.take();
            new ListPath(store, step -> assertWindowed(step, explained.take())).lists();
            HotPath steps = new HotPath(store, step -> assertBounded(step, explained.take()));
            new FollowPath(store, step -> assertBounded(step, explained.take())).read();
            steps.settle();
            steps.publish(Outbox.on(explained.dataSource()));
            steps.drain(5);
        }
    }

    /** H2 estimates nothing: it counts up to 100,000 for the total of a list. */
    private static void assertWindowed(String step, List<String> plans) {
        for (String plan : plans) {
            Matcher counts = SCAN_COUNT.matcher(plan);
            while (counts.find()) {
                assertThat(Long.parseLong(counts.group(1)))
                        .as("rows looked at in %s by %s", step, plan)
                        .isLessThanOrEqualTo(plan.startsWith("SELECT\n    COUNT(*)\n") ? 100_001 : ListPath.MOST);
            }
        }
    }

    private static void assertBounded(String step, List<String> plans) {
        assertThat(plans).as("plans of %s", step).isNotEmpty();
        for (String plan : plans) {
            assertThat(plan).as("plan of %s", step).doesNotContainPattern(TABLE_SCAN);
            Matcher counts = SCAN_COUNT.matcher(plan);
            while (counts.find()) {
                assertThat(Long.parseLong(counts.group(1)))
                        .as("rows looked at in %s by %s", step, plan)
                        .isLessThanOrEqualTo(4L * PAGE);
            }
        }
    }

    /** In parts, because H2 keeps what a transaction wrote in memory. */
    private static void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int part = 0; part < 4; part++) {
                String range = "SYSTEM_RANGE(" + (part * 10_000 + 1) + ", " + (part + 1) * 10_000 + ")";
                statement.execute("INSERT INTO postroom_message"
                        + " (topic, ordering_key, payload, dead_at, reason, error, attempts)"
                        + " SELECT 'orders', 'dead-' || x, X'00', CURRENT_TIMESTAMP, 'POISON', 'x', 10 FROM " + range);
            }
            for (int part = 0; part < 4; part++) {
                statement.execute("INSERT INTO postroom_message (topic, ordering_key, payload)"
                        + " SELECT 'orders', 'order-' || x, X'00' FROM SYSTEM_RANGE(1, 10000)");
            }
            statement.execute(
                    "INSERT INTO postroom_message (topic, payload, available_at)"
                            + " SELECT 'later', X'00', DATEADD(SECOND, x - 3600, CURRENT_TIMESTAMP) FROM SYSTEM_RANGE(1, 20000)");
            statement.execute("INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)"
                    + " SELECT '', 'key-' || x, RANDOM_UUID(), DATEADD(DAY, 7, CURRENT_TIMESTAMP)"
                    + " FROM SYSTEM_RANGE(1, 40000)");
        }
    }
}
