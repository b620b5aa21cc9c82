package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.NoTransactionException;
import dev.postroom.Published;
import dev.postroom.outbox.CommitHint;
import dev.postroom.outbox.Outbox;
import dev.postroom.outbox.Staging;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages staged and written together: nothing is written twice, nothing is lost. */
@Tag("R3")
public abstract class StagingContract extends StoreContract {

    @Test
    void what_cannot_be_encoded_and_what_follows_stays_staged_and_a_retry_goes_on() {
        Message bad = message(3).header("broken", "\n");
        List<Message> five = List.of(message(1), message(2), bad, message(4), message(5));
        Staging staging = store.outbox().stage();
        five.forEach(staging::add);

        Tx tx = begin();
        assertThatThrownBy(() -> staging.flush(tx.connection())).isInstanceOf(MessageRejectedException.class);
        assertThat(staging.messages()).containsExactlyElementsOf(five.subList(2, 5));
        assertThatThrownBy(() -> staging.flush(tx.connection())).isInstanceOf(MessageRejectedException.class);
        assertThat(staging.size()).isEqualTo(3);

        Staging corrected = store.outbox().stage();
        staging.messages().stream()
                .map(message -> message.equals(bad) ? message(3) : message)
                .forEach(corrected::add);
        List<Published> rest = corrected.flush(tx.connection());
        tx.commit();

        assertThat(rest).hasSize(3);
        assertThat(corrected.size()).isZero();
        assertThat(written()).containsExactly(1, 2, 3, 4, 5);
    }

    /** PostgreSQL commits nothing after a statement has failed, whoever caught that. */
    @Test
    void what_a_transaction_wrote_that_commits_nothing_is_still_staged() {
        Staging staging = store.outbox().stage();
        staging.add(message(1));
        Throwable thrown = catchThrowable(() -> store.outbox().inTransaction(tx -> {
            staging.flush(tx.connection());
            assertThatThrownBy(() -> Sql.update(tx.connection(), "DELETE FROM postroom_nowhere"))
                    .isNotNull();
        }));
        assertThat(written()).hasSize(thrown == null ? 1 : 0);
        assertThat(staging.size()).isEqualTo(thrown == null ? 0 : 1);
    }

    @Test
    void what_a_transaction_of_ours_wrote_and_rolled_back_is_staged_again_in_its_place() {
        Message bad = message(3).header("broken", "\n");
        Staging staging = store.outbox().stage();
        List.of(message(1), message(2), bad, message(4)).forEach(staging::add);

        assertThatThrownBy(() -> store.outbox().inTransaction(tx -> staging.flush(tx.connection())))
                .isInstanceOf(MessageRejectedException.class);
        assertThat(written()).isEmpty();
        assertThat(numbers(staging)).containsExactly(1, 2, 3, 4);

        Staging corrected = store.outbox().stage();
        staging.messages().forEach(message -> corrected.add(message.equals(bad) ? message(3) : message));
        assertThatThrownBy(() -> store.outbox().inTransaction(tx -> {
                    assertThat(corrected.flush(tx.connection())).hasSize(4);
                    assertThat(corrected.flush(tx.connection())).isEmpty();
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        store.outbox().inTransaction(tx -> corrected.flush(tx.connection()));
        store.outbox().inTransaction(tx -> corrected.flush(tx.connection()));
        assertThat(corrected.size()).isZero();
        assertThat(written()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void on_a_connection_of_the_callers_own_the_stage_is_told_how_it_ended() {
        Staging staging = store.outbox().stage().add(message(1)).add(message(2));
        Tx tx = begin();
        staging.flush(tx.connection());
        staging.add(message(3)).flush(tx.connection());
        assertThat(staging.size()).isZero();
        tx.rollback();
        staging.rolledBack();
        assertThat(numbers(staging)).containsExactly(1, 2, 3);

        staging.flush(tx.connection());
        tx.commit();
        staging.committed();
        staging.rolledBack();
        assertThat(staging.size()).isZero();
        assertThat(written()).containsExactly(1, 2, 3);
    }

    @Test
    void a_stage_that_is_told_nothing_writes_nothing_twice() {
        Staging staging = store.outbox().stage().add(message(1));
        Tx tx = begin();
        staging.flush(tx.connection());
        tx.commit();
        staging.add(message(2)).flush(tx.connection());
        tx.commit();
        assertThat(written()).containsExactly(1, 2);
    }

    @Test
    @Tag("R12")
    void what_is_staged_wakes_the_relay_when_it_has_committed() {
        List<CommitHint> hints = new ArrayList<>();
        Outbox outbox = store.configureOutbox().onCommit(hints::add).build();
        Staging staging = outbox.stage().add(message(1));
        outbox.inTransaction(tx -> {
            staging.flush(tx.connection());
            outbox.publish(tx.connection(), message(2));
            assertThat(hints).isEmpty();
        });
        assertThat(hints).hasSize(2);
    }

    private static List<Integer> numbers(Staging staging) {
        return staging.messages().stream()
                .map(message -> number(message.headers()))
                .toList();
    }

    private List<Integer> written() {
        return reader().readAll().stream()
                .map(row -> number(row.content().headers()))
                .toList();
    }

    private static Integer number(Map<String, String> headers) {
        return Integer.valueOf(Objects.requireNonNull(headers.get("n")));
    }

    @Test
    void a_write_that_fails_keeps_everything() throws Exception {
        Staging staging = store.outbox().stage().add(message(1)).add(message(2));
        try (Connection closed = store.dataSource().getConnection()) {
            closed.close();
            assertThatThrownBy(() -> staging.flush(closed)).isInstanceOf(DatabaseException.class);
        }
        try (Connection autoCommit = store.dataSource().getConnection()) {
            assertThatThrownBy(() -> staging.flush(autoCommit)).isInstanceOf(NoTransactionException.class);
        }
        assertThat(staging.size()).isEqualTo(2);

        Tx tx = begin();
        staging.flush(tx.connection());
        tx.commit();
        assertThat(reader().readAll()).hasSize(2);
    }

    @Test
    void what_a_transaction_of_ours_could_not_commit_is_staged_again() throws Exception {
        AtomicBoolean breaks = new AtomicBoolean(true);
        try (Connection connection = store.dataSource().getConnection()) {
            Outbox outbox = outboxOn(lent(connection, breaks));
            Staging staging = outbox.stage().add(message(1));
            assertThatThrownBy(() -> outbox.inTransaction(tx -> staging.flush(tx.connection())))
                    .isInstanceOf(DatabaseException.class);
            assertThat(numbers(staging)).containsExactly(1);

            breaks.set(false);
            outbox.inTransaction(tx -> staging.flush(tx.connection()));
            assertThat(staging.size()).isZero();
        }
        assertThat(written()).containsExactly(1);
    }

    @Test
    @Tag("R75")
    void what_committed_although_the_answer_was_lost_is_not_written_again() throws Exception {
        AtomicBoolean breaks = new AtomicBoolean(true);
        try (Connection connection = store.dataSource().getConnection()) {
            Outbox outbox = outboxOn(deaf(connection, breaks));
            Staging staging = outbox.stage().add(message(1)).add(message(2));
            List<UUID> ids = new ArrayList<>();
            assertThatThrownBy(() -> outbox.inTransaction(
                            tx -> staging.flush(tx.connection()).forEach(published -> ids.add(published.id()))))
                    .isInstanceOf(DatabaseException.class);
            assertThat(numbers(staging)).containsExactly(1, 2);
            assertThat(staging.messages()).allMatch(message -> message.id() == null);

            breaks.set(false);
            staging.add(message(3));
            List<Published> again = new ArrayList<>();
            outbox.inTransaction(tx -> again.addAll(staging.flush(tx.connection())));
            assertThat(again).extracting(Published::alreadyExisted).containsExactly(true, true, false);
            assertThat(again.subList(0, 2)).extracting(Published::id).isEqualTo(ids);
            assertThat(staging.size()).isZero();
        }
        assertThat(written()).containsExactly(1, 2, 3);
    }

    @Test
    @Tag("R75")
    void on_a_connection_of_the_callers_own_a_commit_that_failed_may_have_been_one() {
        Staging staging = store.outbox().stage().add(message(1));
        Tx tx = begin();
        staging.flush(tx.connection());
        tx.commit();
        staging.rolledBack();
        assertThat(staging.flush(tx.connection()))
                .extracting(Published::alreadyExisted)
                .containsExactly(true);
        tx.commit();
        staging.committed();
        assertThat(written()).containsExactly(1);
    }

    @Test
    void what_the_caller_says_of_his_transaction_means_nothing_for_those_of_ours() {
        Staging staging = store.outbox().stage().add(message(1));
        Tx tx = begin();
        staging.flush(tx.connection());
        staging.add(message(2));
        assertThatThrownBy(() -> store.outbox().inTransaction(own -> {
                    assertThat(staging.flush(own.connection())).hasSize(1);
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        tx.commit();
        staging.committed();
        assertThat(numbers(staging)).containsExactly(2);
    }

    /** A pool may give out the same object again, by then for a transaction of the caller's. */
    @Test
    void a_connection_that_was_ours_is_the_callers_own_afterwards() throws Exception {
        try (Connection connection = store.dataSource().getConnection()) {
            Connection lent = lent(connection, new AtomicBoolean());
            Outbox outbox = outboxOn(lent);
            outbox.inTransaction(tx -> tx.publish(message(1)));

            Staging staging = outbox.stage().add(message(2));
            lent.setAutoCommit(false);
            staging.flush(lent);
            lent.rollback();
            staging.rolledBack();
            assertThat(numbers(staging)).containsExactly(2);
        }
        assertThat(written()).containsExactly(1);
    }

    /** An outbox whose own transactions all have this connection. */
    private Outbox outboxOn(Connection connection) {
        DataSource lending = proxy(
                DataSource.class,
                store.dataSource(),
                (method, args) ->
                        method.getName().equals("getConnection") ? Optional.of(connection) : Optional.empty());
        return Outbox.configure(lending).store(store.store()).build();
    }

    /** It stays open when it is given back. */
    private static Connection lent(Connection connection, AtomicBoolean breaksAtCommit) {
        return proxy(Connection.class, connection, (method, args) -> {
            if (method.getName().equals("commit") && breaksAtCommit.get()) {
                throw new SQLException("the connection broke", "08006");
            }
            return method.getName().equals("close") ? Optional.of(connection) : Optional.empty();
        });
    }

    /** It commits, and the answer is lost. */
    private static Connection deaf(Connection connection, AtomicBoolean breaksAfterCommit) {
        return proxy(Connection.class, connection, (method, args) -> {
            if (method.getName().equals("commit") && breaksAfterCommit.get()) {
                connection.commit();
                throw new SQLException("the connection broke", "08006");
            }
            return method.getName().equals("close") ? Optional.of(connection) : Optional.empty();
        });
    }

    /** Answers a call itself, or leaves it to the other. */
    @FunctionalInterface
    private interface Answer {
        Optional<Object> to(Method method, Object[] args) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T other, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                StagingContract.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    Optional<Object> own = answer.to(method, args);
                    if (own.isPresent()) {
                        return method.getReturnType() == void.class ? null : own.get();
                    }
                    try {
                        return method.invoke(other, args);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                }));
    }

    @Test
    void an_empty_stage_writes_nothing() {
        assertThat(store.outbox().stage().flush(begin().connection())).isEmpty();
    }

    private static Message message(int n) {
        return Message.to("orders").key("k").header("n", Integer.toString(n));
    }
}
