package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import dev.postroom.jdbc.internal.OneConnection;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.PgBouncer;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgConnection;

/** Behind Debian's PgBouncer, which gives each transaction to any of two sessions; without a word about it in the JDBC URL. */
@Tag("R62")
class PostgresBehindPoolerTest {
    /** What each session is asked for: its settings, what is prepared in it, and the locks that it keeps. */
    private static final String SESSION = """
            SELECT (SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings
                    WHERE source = 'session'
                      AND name NOT IN ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'extra_float_digits')),
                (SELECT count(*) FROM pg_prepared_statements),
                (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
            """;

    private static final int SESSIONS = 2;

    private static PgBouncer bouncer;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestDatabase database;

    @BeforeAll
    static void start() {
        bouncer = PgBouncer.inFrontOf(Postgres.newest(), "transaction", SESSIONS);
    }

    @AfterAll
    static void stop() {
        bouncer.close();
    }

    @BeforeEach
    void migrate() {
        database = bouncer.to(Postgres.newest().freshDatabase());
        store().schema().migrate();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    @Test
    void everything_works_and_leaves_nothing_in_the_sessions() throws Exception {
        Outbox outbox = Outbox.on(database.dataSource());
        Recorder recorder = new Recorder();
        opened.add(relay().deliverTo(recorder).start());
        opened.add(relay().deliverTo(recorder).start());
        Inbox inbox = Inbox.on(database.dataSource());
        Operations operations = Operations.as("tester", store().operations(), store().maintenance());
        List<UUID> ids = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            Message message = Message.to("orders").key("order-" + n % 3).text("text/plain", "text " + n);
            ids.add(outbox.publishInOwnTransaction(message).id());
            String id = ids.get(n).toString();
            assertThat(inbox.handleOnce("billing", id, tx -> {})).isEqualTo(Handling.HANDLED);
            assertThat(inbox.handleOnce("billing", id, tx -> {})).isEqualTo(Handling.DUPLICATE);
            assertThat(operations.stats().dead()).isZero();
            assertThatSessionsAreUntouched();
        }
        RelayTestBase.eventually()
                .untilAsserted(() -> assertThat(ids)
                        .allSatisfy(id -> assertThat(
                                        operations.find(id).orElseThrow().item().status())
                                .isEqualTo(MessageStatus.PROCESSED)));
        operations.purge(Duration.ZERO, "test", removed -> {});
        assertThatSessionsAreUntouched();
        assertThat(recorder.sent()).hasSize(ids.size());
    }

    /** The lock of a migration ends with its transaction; one of a session would stay with the pooler, and nobody could go on. */
    @Test
    void nodes_migrate_at_once() throws Exception {
        TestDatabase fresh = bouncer.to(Postgres.newest().freshDatabase());
        List<Callable<List<Integer>>> nodes = new ArrayList<>();
        for (int node = 0; node < 6; node++) {
            nodes.add(() ->
                    Store.open(fresh.dataSource(), TableNames.DEFAULT).schema().migrate());
        }
        ExecutorService threads = Executors.newFixedThreadPool(nodes.size());
        try {
            List<Integer> applied = new ArrayList<>();
            for (Future<List<Integer>> node : threads.invokeAll(nodes)) {
                applied.addAll(node.get());
            }
            assertThat(applied).containsExactly(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_pooler_is_recognised_and_a_direct_connection_is_not_taken_for_one() {
        assertThat(store().description()).endsWith("behind a pooler");
        assertThat(Store.open(Postgres.newest().freshDatabase().dataSource(), TableNames.DEFAULT)
                        .description())
                .doesNotContain("pooler");
    }

    @Test
    void connection_of_the_application_comes_back_as_it_was() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            PgConnection driver = connection.unwrap(PgConnection.class);
            driver.setPrepareThreshold(7);
            DataSource pool = new OneConnection(connection);
            Store.open(pool, TableNames.DEFAULT).operations().stats();
            assertThat(driver.getPrepareThreshold()).as("after an operation").isEqualTo(7);
            Outbox.on(pool).publishInOwnTransaction(Message.to("orders").text("text/plain", "a"));
            assertThat(driver.getPrepareThreshold()).as("after publishing").isEqualTo(7);
            Inbox.on(pool).handleOnce("billing", "1", tx -> {});
            assertThat(driver.getPrepareThreshold()).as("after handling").isEqualTo(7);
        }
    }

    @Test
    void a_pooler_of_statements_is_refused_at_the_start() {
        try (PgBouncer statements = PgBouncer.inFrontOf(Postgres.newest(), "statement", SESSIONS)) {
            TestDatabase hopeless = statements.to(database);
            assertThatThrownBy(() -> Outbox.on(hopeless.dataSource()))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageContaining("pool_mode");
        }
    }

    private Store store() {
        return Store.open(database.dataSource(), TableNames.DEFAULT);
    }

    private Relay.Builder relay() {
        return Relay.on(database.dataSource())
                .lease(Duration.ofSeconds(2))
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50));
    }

    /** As many transactions at once as there are sessions, so that each session is asked. */
    private void assertThatSessionsAreUntouched() throws SQLException {
        List<Connection> strangers = new ArrayList<>();
        try {
            for (int n = 0; n < SESSIONS; n++) {
                Connection stranger = database.connect();
                strangers.add(stranger);
                // Not by the driver, whose own BEGIN would be prepared.
                try (Statement statement = stranger.createStatement()) {
                    statement.execute("BEGIN");
                    try (ResultSet row = statement.executeQuery(SESSION)) {
                        assertThat(row.next()).isTrue();
                        assertThat(row.getString(1)).as("settings").isNull();
                        assertThat(row.getInt(2)).as("prepared statements").isZero();
                        assertThat(row.getInt(3)).as("locks").isZero();
                    }
                }
            }
        } finally {
            for (Connection stranger : strangers) {
                stranger.close();
            }
        }
    }
}
