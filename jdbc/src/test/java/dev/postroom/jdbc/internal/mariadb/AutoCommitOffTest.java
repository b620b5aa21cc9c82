package dev.postroom.jdbc.internal.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.NoTransactionException;
import dev.postroom.inbox.Inbox;
import dev.postroom.jdbc.internal.OneConnection;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.operations.MariaDbOperationsSql;
import dev.postroom.operations.RoutingText;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Owing;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server whose sessions begin with auto-commit off, and which tells the driver that it is on: whatever is told to the
 * driver about it, it then believes that nothing has changed.
 */
@Tag("R62")
class AutoCommitOffTest {
    private final TestDatabase database = MariaDb.unusual().freshDatabase();
    private Connection connection;
    private Store store;

    @BeforeEach
    void connect() throws SQLException {
        connection = database.connect();
        assumeThat(asked("@@SESSION.autocommit"))
                .as("a server with autocommit=0")
                .isEqualTo("0");
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        store = Store.open(new OneConnection(connection), TableNames.DEFAULT);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private String asked(String what) throws SQLException {
        return asked(connection, what);
    }

    private static String asked(Connection connection, String what) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + what)) {
            row.next();
            return row.getString(1);
        }
    }

    /** As somebody else sees it. */
    private String count(String table) throws SQLException {
        try (Connection other = database.connect()) {
            return asked(other, "COUNT(*) FROM " + table);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void isLeftAsItWas() throws SQLException {
        assertThat(asked("@@in_transaction")).isEqualTo("0");
        assertThat(asked("@@SESSION.autocommit")).isEqualTo("0");
    }

    @Nested
    class Relays {
        @Test
        void read_outside_transactions() throws SQLException {
            try (FollowReader reader = store.openFollowReader(Owing.EVERYWHERE)) {
                reader.pauses();
                assertThat(asked("@@in_transaction")).isEqualTo("0");
            }
            isLeftAsItWas();
        }

        @Test
        void commit_what_they_report_at_once() throws SQLException {
            try (LaneStore lanes = store.openLanes()) {
                lanes.report(new LaneStore.NodeReport(
                        "relay",
                        "host",
                        "1",
                        "{}",
                        new RoutingText("** -> kafka (block)"),
                        Duration.ofSeconds(10),
                        Duration.ZERO));
                assertThat(count("postroom_node")).isEqualTo("1");
            }
            isLeftAsItWas();
        }
    }

    @Nested
    class Operators {
        @Test
        void leave_no_transaction_behind_when_their_work_fails() throws SQLException {
            Session.Setup setup = new MariaDbOperationsSql().limit(Duration.ofSeconds(5));
            try (Session session = new Session(new OneConnection(connection), setup)) {
                assertThatThrownBy(() -> session.transaction("try", any -> {
                            asked(any, "COUNT(*) FROM postroom_message");
                            throw new SQLException("refused", "42000");
                        }))
                        .isInstanceOf(DatabaseException.class);
            }
            isLeftAsItWas();
        }

        @Test
        void leave_no_transaction_behind_when_their_work_is_done() throws SQLException {
            Session.Setup setup = new MariaDbOperationsSql().limit(Duration.ofSeconds(5));
            try (Session session = new Session(new OneConnection(connection), setup)) {
                session.transaction("look", any -> asked(any, "COUNT(*) FROM postroom_message"));
            }
            isLeftAsItWas();
        }

        @Test
        void leave_no_transaction_behind_when_they_look_at_the_schema() throws SQLException {
            store.schema().check();
            isLeftAsItWas();
            store.checkWritable();
            isLeftAsItWas();
        }
    }

    @Nested
    @Tag("R5")
    class Applications {
        private Outbox outbox;
        private Inbox inbox;

        @BeforeEach
        void open() {
            outbox = Outbox.on(database.dataSource());
            inbox = Inbox.on(database.dataSource());
        }

        @Test
        void publish_in_the_transaction_that_they_began() throws SQLException {
            connection.setAutoCommit(false);
            outbox.publish(connection, Message.to("orders"));
            connection.rollback();
            assertThat(count("postroom_message")).isEqualTo("0");
            outbox.publish(connection, Message.to("orders"));
            assertThat(count("postroom_message")).isEqualTo("0");
            connection.commit();
            assertThat(count("postroom_message")).isEqualTo("1");
            isLeftAsItWas();
        }

        @Test
        void publish_in_a_transaction_of_ours() throws SQLException {
            outbox.publishInOwnTransaction(Message.to("orders"));
            assertThat(count("postroom_message")).isEqualTo("1");
        }

        @Test
        void take_messages_in_the_transaction_that_they_began() throws SQLException {
            connection.setAutoCommit(false);
            assertThat(inbox.take(connection, "billing", "1")).isTrue();
            connection.rollback();
            assertThat(inbox.take(connection, "billing", "1")).isTrue();
            connection.commit();
            assertThat(inbox.take(connection, "billing", "1")).isFalse();
            connection.rollback();
            assertThat(count("postroom_inbox")).isEqualTo("1");
        }

        @Test
        void are_refused_where_every_statement_really_is_a_transaction() throws SQLException {
            execute("SET SESSION autocommit = 1");
            assertThatThrownBy(() -> outbox.publish(connection, Message.to("orders")))
                    .isInstanceOf(NoTransactionException.class);
            assertThatThrownBy(() -> inbox.take(connection, "billing", "1")).isInstanceOf(NoTransactionException.class);
        }
    }
}
