package dev.postroom.jdbc.internal.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who has passed the gate, or failed behind it, keeps nobody else out, although its connection stays in a pool. */
@Tag("R5")
class KeyGateTest {
    private static final KeyGate.Key KEY = new KeyGate.Key("tenant", "key");

    private final TestDatabase database = MariaDb.newest().freshDatabase();
    private final KeyGate gate = new KeyGate(new SqlNames(TableNames.DEFAULT), "dedup");
    private final List<String> tries = new ArrayList<>();
    private Connection first;
    private Connection second;

    @BeforeEach
    void connect() throws SQLException {
        first = connection();
        second = connection();
    }

    private Connection connection() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET innodb_lock_wait_timeout = 1"); // the gate's too
        }
        return connection;
    }

    @AfterEach
    void close() throws SQLException {
        first.close();
        second.close();
    }

    /** Somebody else is at the key, as long as nobody waits for it. */
    private String take(Connection connection, String name) throws SQLException {
        return gate.take(connection, KEY, waiting -> {
            tries.add(name + (waiting ? " waits" : " tries"));
            if (!waiting) {
                throw new SQLException("Lock wait timeout exceeded", "HY000", 1205);
            }
            return name;
        });
    }

    @Test
    void is_open_again_after_the_key_was_taken() throws SQLException {
        assertThat(take(first, "first")).isEqualTo("first");
        assertThat(take(second, "second")).isEqualTo("second");
        assertThat(tries).containsExactly("first tries", "first waits", "second tries", "second waits");
    }

    @Test
    void is_open_again_after_whoever_waited_failed() throws SQLException {
        SQLException deadlock = new SQLException("Deadlock found", "40001", 1213);
        assertThatThrownBy(() -> gate.take(first, KEY, waiting -> {
                    throw waiting ? deadlock : new SQLException("Lock wait timeout exceeded", "HY000", 1205);
                }))
                .isSameAs(deadlock);
        assertThat(take(second, "second")).isEqualTo("second");
    }

    @Test
    void lets_one_in_at_a_time_and_nobody_waits_for_ever() throws SQLException {
        gate.take(first, KEY, waiting -> {
            if (!waiting) {
                throw new SQLException("Lock wait timeout exceeded", "HY000", 1205);
            }
            assertThatThrownBy(() -> take(second, "second")).hasMessageContaining("Lock wait timeout");
            return "first";
        });
        assertThat(tries).containsExactly("second tries");
    }

    @Test
    void is_not_needed_for_what_fails_otherwise() {
        SQLException duplicate = new SQLException("Duplicate entry", "23000", 1062);
        assertThatThrownBy(() -> gate.take(first, KEY, waiting -> {
                    tries.add("waits: " + waiting);
                    throw duplicate;
                }))
                .isSameAs(duplicate);
        assertThat(tries).containsExactly("waits: false");
    }

    /** The procedure has a gate of the same name. */
    @Nested
    class The_procedure {
        private static final String FREE =
                "SELECT IS_FREE_LOCK(CONCAT('postroom:', SHA1(CONCAT_WS(':', DATABASE(), 'postroom_dedup', '', 'key'))))";

        @BeforeEach
        void migrate() throws SQLException {
            Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
            first.setAutoCommit(false);
            second.setAutoCommit(false);
        }

        private void publish(Connection connection) throws SQLException {
            try (CallableStatement statement =
                    connection.prepareCall("{CALL postroom_publish('orders', 'a', NULL, NULL,"
                            + " NULL, 'key', NULL, NULL, NULL, NULL, NULL, ?, ?)}")) {
                statement.registerOutParameter(1, Types.VARCHAR);
                statement.registerOutParameter(2, Types.BOOLEAN);
                statement.execute();
            }
        }

        private boolean isFree(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(FREE)) {
                return row.next() && row.getBoolean(1);
            }
        }

        @Test
        void leaves_its_gate_when_it_has_waited_in_vain() throws SQLException {
            publish(first);
            assertThatThrownBy(() -> publish(second)).isInstanceOf(SQLException.class);
            assertThat(isFree(first)).isTrue();
        }

        @Test
        void waits_behind_its_gate_and_leaves_it_when_it_has_the_key() throws Exception {
            try (Statement statement = second.createStatement()) {
                statement.execute("SET innodb_lock_wait_timeout = 60");
            }
            publish(first);
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                try {
                    publish(second);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().atMost(Duration.ofMinutes(1)).until(() -> !isFree(first));
            first.rollback();
            waiting.get(1, TimeUnit.MINUTES);
            assertThat(isFree(first)).isTrue();
        }
    }
}
