package dev.postroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.outbox.CommitHint;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A connection that breaks after it did what it was told: what does the caller learn? */
@Tag("R1")
class LostAnswersTest {
    private final TestDatabase database = H2.freshDatabase();
    private final List<CommitHint> hints = new ArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();

    @BeforeEach
    void migrate() {
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
    }

    @Test
    void a_committed_transaction_is_no_failure_although_its_connection_breaks_then() throws SQLException {
        Outbox outbox = outboxOverConnectionsThatFailAt(Set.of("setAutoCommit:true", "close"));
        outbox.inTransaction(tx -> tx.publish(Message.to("orders")));
        assertThat(messages()).isEqualTo(1);
        assertThat(hints).hasSize(1);
    }

    @Test
    void a_commit_whose_answer_is_lost_is_a_failure_and_gives_no_hint() throws SQLException {
        Outbox outbox = outboxOverConnectionsThatFailAt(Set.of("commit"));
        assertThatThrownBy(() -> outbox.inTransaction(tx -> tx.publish(Message.to("orders"))))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("the answer was lost");
        assertThat(messages())
                .as("it did commit, which is why idempotency keys exist")
                .isEqualTo(1);
        assertThat(hints).isEmpty();
    }

    @Test
    void a_rollback_that_fails_does_not_hide_what_went_wrong() throws SQLException {
        Outbox outbox = outboxOverConnectionsThatFailAt(Set.of("rollback"));
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    tx.publish(Message.to("orders"));
                    throw new IllegalStateException("the cause");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the cause");
        assertThat(messages()).isZero();
    }

    @Test
    void a_transaction_that_cannot_begin_gives_its_connection_back() {
        Outbox outbox = outboxOverConnectionsThatFailAt(Set.of("setAutoCommit:false"));
        closed.set(0);
        assertThatThrownBy(() -> outbox.inTransaction(tx -> tx.publish(Message.to("orders"))))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("could not begin a transaction");
        assertThat(closed).hasValue(1);
    }

    private Outbox outboxOverConnectionsThatFailAt(Set<String> calls) {
        Outbox.Builder builder = Outbox.configure(failing(database.dataSource(), calls));
        return builder.onCommit(hints::add).build();
    }

    /** Connections that do what they are told, and then say that they failed. */
    private DataSource failing(DataSource dataSource, Set<String> calls) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> failing((Connection) method.invoke(dataSource, args), calls));
    }

    private Connection failing(Connection connection, Set<String> calls) {
        boolean[] inTransaction = new boolean[1];
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    String call = method.getName() + (args == null || args.length != 1 ? "" : ":" + args[0]);
                    // Only transactions are disturbed, not what an outbox asks when it is built.
                    closed.addAndGet(call.equals("close") ? 1 : 0);
                    inTransaction[0] |= call.equals("setAutoCommit:false");
                    try {
                        Object result = method.invoke(connection, args);
                        if (inTransaction[0] && calls.contains(call)) {
                            throw new SQLException("the answer was lost", "08006");
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private long messages() throws SQLException {
        try (Connection connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM postroom_message")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}
