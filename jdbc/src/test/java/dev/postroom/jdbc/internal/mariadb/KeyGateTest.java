package dev.postroom.jdbc.internal.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
}
