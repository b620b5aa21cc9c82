package dev.postroom.jdbc.internal.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.inbox.Inbox;
import dev.postroom.jdbc.internal.FollowPath;
import dev.postroom.jdbc.internal.HotPath;
import dev.postroom.jdbc.internal.OperatorPath;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.DatabaseServer;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No plan of ours looks dear. A server with LLVM compiles those above {@value Plan#COMPILED_ABOVE} before it runs them, which takes
 * thousands of times as long as the rows. Servers plan the same way without LLVM, so that it shows here as well.
 */
@Tag("R62")
class PostgresPlanCostsTest {
    private static final String[] ROWS = {"""
        INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error, attempts)
        SELECT 'orders', 'dead-' || n, '\\x00', now(), 'POISON', 'x', 10 FROM generate_series(1, 2000) n
        """, """
        INSERT INTO postroom_message (topic, ordering_key, payload)
        SELECT 'orders', 'order-' || n, '\\x00' FROM generate_series(1, 5000) n
        """, """
        INSERT INTO postroom_message (topic, payload, available_at)
        SELECT 'later', '\\x00', now() - interval '1 hour' + n * interval '1 second' FROM generate_series(1, 500) n
        """};

    private enum Server implements Supplier<DatabaseServer> {
        OLDEST,
        NEWEST;

        @Override
        public DatabaseServer get() {
            return this == OLDEST ? Postgres.oldest() : Postgres.newest();
        }
    }

    @ParameterizedTest
    @CsvSource({"OLDEST, none", "OLDEST, fresh", "NEWEST, none", "NEWEST, fresh"})
    void no_statement_is_dear_enough_to_be_compiled(Server server, String statistics) throws SQLException {
        TestDatabase database = server.get().freshDatabase();
        PlanRecorder recorder = new PlanRecorder(database.dataSource());
        Store store = Store.open(recorder.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        execute(database, "ALTER TABLE postroom_message SET (autovacuum_enabled = off)");
        execute(database, ROWS);
        if (statistics.equals("fresh")) {
            execute(database, "ANALYZE");
        }
        recorder.take();
        List<String> dear = new ArrayList<>();
        HotPath.Check cheap = step -> dear.addAll(dear(step, recorder.take()));

        HotPath hot = new HotPath(store, cheap);
        new FollowPath(store, cheap).read();
        hot.settle();
        hot.publish(Outbox.on(recorder.dataSource()));
        Inbox.on(recorder.dataSource()).handleOnce("billing", "1", tx -> {});
        cheap.after("the inbox");
        OperatorPath operators = new OperatorPath(store, cheap);
        operators.lanes();
        operators.looks();
        operators.changes();
        operators.upkeep();
        assertThat(dear).isEmpty();
    }

    private static List<String> dear(String step, List<String> notices) {
        assertThat(notices).as("plans of %s", step).isNotEmpty();
        return notices.stream()
                .map(Plan::parse)
                .filter(plan -> plan.cost() > Plan.COMPILED_ABOVE || plan.isCompiled())
                .map(plan -> step + " costs " + plan.cost() + ": " + plan.statement() + plan.steps())
                .toList();
    }

    private static void execute(TestDatabase database, String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
