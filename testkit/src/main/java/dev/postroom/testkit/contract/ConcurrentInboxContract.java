package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One message in several hands at the same time, at every isolation level. */
@Tag("R40")
@Tag("I11")
public abstract class ConcurrentInboxContract extends StoreContract {
    private Inbox inbox;

    @BeforeEach
    void openInbox() {
        inbox = inboxOn(store.dataSource());
    }

    private Inbox inboxOn(DataSource dataSource) {
        return Inbox.configure(dataSource).tablePrefix(store.names().prefix()).build();
    }

    @Test
    void the_second_waits_for_the_first_and_is_skipped_when_it_commits() throws Exception {
        try (Background background = new Background()) {
            for (Isolation level : store.kind().isolationLevels()) {
                Tx first = level.begin(store);
                assertThat(take(first, level)).isTrue();
                Tx second = beginAndLook(level);
                Future<Boolean> waiting = background.run(() -> take(second, level));
                store.awaitLockWait(waiting);
                first.commit();
                if (refusesRecordsAfterSnapshot(level)) {
                    assertThatThrownBy(() -> waiting.get(30, SECONDS))
                            .isInstanceOf(ExecutionException.class)
                            .cause()
                            .satisfies(ConcurrentInboxContract::isRetryable);
                    second.rollback();
                    assertThat(take(second, level)).isFalse();
                } else {
                    assertThat(waiting.get(30, SECONDS)).as(level.name()).isFalse();
                }
                second.writeData(level.name().hashCode()).commit(); // it is not broken
            }
        }
        everythingOnce();
    }

    @Test
    void the_second_waits_for_the_first_and_handles_when_it_rolls_back() throws Exception {
        try (Background background = new Background()) {
            for (Isolation level : store.kind().isolationLevels()) {
                Tx first = level.begin(store);
                assertThat(take(first, level)).isTrue();
                Tx second = beginAndLook(level);
                Future<Boolean> waiting = background.run(() -> take(second, level));
                store.awaitLockWait(waiting);
                first.rollback();
                assertThat(waiting.get(30, SECONDS)).as(level.name()).isTrue();
                second.writeData(level.name().hashCode()).commit();
            }
        }
        everythingOnce();
    }

    @Test
    void of_several_that_wait_exactly_one_handles_after_a_rollback_and_none_is_broken() throws Exception {
        try (Background background = new Background()) {
            for (int round = 0; round < 5; round++) {
                String id = "round " + round;
                Tx first = begin();
                assertThat(inbox.take(first.connection(), "billing", id)).isTrue();
                List<Future<Handling>> waiting = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    waiting.add(background.run(() -> inbox.handleOnce("billing", id, tx -> {})));
                }
                for (Future<Handling> one : waiting) {
                    store.awaitLockWait(one);
                }
                first.rollback();
                List<Handling> results = new ArrayList<>();
                for (Future<Handling> one : waiting) {
                    results.add(one.get(30, SECONDS));
                }
                assertThat(results)
                        .containsExactlyInAnyOrder(
                                Handling.HANDLED, Handling.DUPLICATE, Handling.DUPLICATE, Handling.DUPLICATE);
            }
        }
        assertThat(count("postroom_inbox")).isEqualTo(5);
    }

    @Test
    void in_a_transaction_of_its_own_the_second_is_skipped_at_every_isolation_level() throws Exception {
        try (Background background = new Background()) {
            for (Isolation level : store.kind().isolationLevels()) {
                Inbox strict = inboxOn(at(level));
                CountDownLatch inside = new CountDownLatch(1);
                CountDownLatch goOn = new CountDownLatch(1);
                Future<Handling> first = background.run(() -> strict.handleOnce("billing", level.name(), tx -> {
                    inside.countDown();
                    assertThat(goOn.await(30, SECONDS)).isTrue();
                }));
                assertThat(inside.await(30, SECONDS)).isTrue();
                Future<Handling> second = background.run(() -> strict.handleOnce("billing", level.name(), tx -> {
                    throw new AssertionError("handled twice");
                }));
                store.awaitLockWait(second);
                goOn.countDown();
                assertThat(first.get(30, SECONDS)).isEqualTo(Handling.HANDLED);
                // Its snapshot was older than the first one's commit: it looked again by itself.
                assertThat(second.get(30, SECONDS)).as(level.name()).isEqualTo(Handling.DUPLICATE);
            }
        }
    }

    @Test
    void of_many_at_once_exactly_one_handles() throws Exception {
        int consumers = 8;
        int rounds = 20;
        List<Handling> all = new ArrayList<>();
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(consumers);
            List<Future<List<Handling>>> results = new ArrayList<>();
            for (int consumer = 0; consumer < consumers; consumer++) {
                results.add(background.run(() -> {
                    List<Handling> mine = new ArrayList<>();
                    for (int round = 0; round < rounds; round++) {
                        int order = round;
                        together.await(30, SECONDS);
                        mine.add(inbox.handleOnce(
                                "billing",
                                "round " + round,
                                tx -> Sql.update(
                                        tx.connection(),
                                        store.sql("INSERT INTO postroom_orders (id) VALUES (?)"),
                                        order)));
                    }
                    return mine;
                }));
            }
            for (Future<List<Handling>> result : results) {
                all.addAll(result.get(60, SECONDS));
            }
        }
        assertThat(all).hasSize(consumers * rounds);
        assertThat(all).filteredOn(Handling.HANDLED::equals).hasSize(rounds);
        assertThat(count("postroom_orders")).isEqualTo(rounds);
    }

    private boolean take(Tx tx, Isolation level) {
        return inbox.take(tx.connection(), "billing", level.name());
    }

    /** A transaction whose snapshot is taken, where its level has one. */
    private Tx beginAndLook(Isolation level) {
        Tx tx = level.begin(store);
        tx.value("SELECT count(*) FROM postroom_orders");
        return tx;
    }

    /** H2 and MariaDB look at what is committed now, whatever the snapshot shows. */
    private boolean refusesRecordsAfterSnapshot(Isolation level) {
        return store.kind() == Kind.POSTGRESQL && level.keepsSnapshot();
    }

    private static void isRetryable(Throwable error) {
        assertThat(error)
                .isInstanceOfSatisfying(
                        DatabaseException.class,
                        e -> assertThat(e.isRetryable()).as(e.getMessage()).isTrue());
    }

    private void everythingOnce() {
        int levels = store.kind().isolationLevels().size();
        assertThat(count("postroom_inbox")).isEqualTo(levels);
        assertThat(count("postroom_orders")).isEqualTo(levels);
    }

    /** The same database, with connections at this level, as a pool may be set to. */
    private DataSource at(Isolation level) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (!method.getName().equals("getConnection") || args != null) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    Connection connection = store.dataSource().getConnection();
                    level.set(connection);
                    return connection;
                });
    }
}
