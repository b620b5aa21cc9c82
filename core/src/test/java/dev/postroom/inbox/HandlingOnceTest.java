package dev.postroom.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.spi.InboxStore;
import dev.postroom.spi.Store;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is tried again when a message could not be recorded. */
@Tag("R40")
class HandlingOnceTest {
    private static final InboxKey KEY = new InboxKey("billing", "m1");

    private final SQLException serialization = new SQLException("could not serialize access", "40001");
    private final SQLException refused = new SQLException("permission denied", "42501");

    /** What the next attempts to record a message throw; after those it is new. */
    private final Deque<SQLException> failures = new ArrayDeque<>();

    private boolean joins;
    private int transactions;
    private int handled;

    private final HandlingOnce handling = new HandlingOnce(new Counted(), store((connection, consumer, messageId) -> {
        if (!failures.isEmpty()) {
            throw failures.remove();
        }
        return true;
    }));

    private static Store store(InboxStore inbox) {
        return (Store) Proxy.newProxyInstance(
                HandlingOnceTest.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> method.getName().equals("inbox") ? inbox : false);
    }

    private final class Counted implements InboxTransactions {
        @Override
        public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
            transactions++;
            try {
                return work.run((Connection) Proxy.newProxyInstance(
                        HandlingOnceTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (p, m, a) -> null));
            } catch (SQLException e) {
                throw new DatabaseException("the transaction failed", e);
            }
        }

        @Override
        public boolean beginsAnew() {
            return !joins;
        }
    }

    private Handling handle() {
        return handling.handle(KEY, tx -> handled++);
    }

    @Test
    void serialization_failure_before_the_handler_began_is_tried_again_in_a_new_transaction() {
        failures.addAll(List.of(serialization, serialization));
        assertThat(handle()).isEqualTo(Handling.HANDLED);
        assertThat(transactions).isEqualTo(3);
        assertThat(handled).isEqualTo(1);
    }

    /** The database has given that transaction up: only who began it can begin another. */
    @Test
    void transaction_that_was_joined_is_not_gone_on_with() {
        joins = true;
        failures.add(serialization);
        assertThatThrownBy(this::handle)
                .isInstanceOfSatisfying(
                        DatabaseException.class,
                        e -> assertThat(e.isRetryable()).isTrue());
        assertThat(transactions).isEqualTo(1);
        assertThat(handled).isZero();
    }

    @Test
    void what_will_not_change_by_itself_is_told_at_once() {
        failures.add(refused);
        assertThatThrownBy(this::handle).isInstanceOf(DatabaseException.class).hasMessageContaining("denied");
        assertThat(transactions).isEqualTo(1);
    }

    @Test
    void retries_end() {
        for (int i = 0; i < 100; i++) {
            failures.add(serialization);
        }
        assertThatThrownBy(this::handle).isInstanceOf(DatabaseException.class);
        assertThat(transactions).isEqualTo(5);
    }

    /** Its work may have had effects elsewhere. */
    @Test
    void handler_is_not_called_again_whatever_it_throws() {
        assertThatThrownBy(() -> handling.handle(KEY, tx -> {
                    handled++;
                    throw serialization;
                }))
                .isInstanceOf(DatabaseException.class);
        assertThat(handled).isEqualTo(1);
    }
}
