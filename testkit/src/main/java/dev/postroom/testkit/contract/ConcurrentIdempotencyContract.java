package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two transactions that use one idempotency key at the same time, at every isolation level. */
@Tag("R5")
public abstract class ConcurrentIdempotencyContract extends StoreContract {

    @Test
    void the_second_waits_for_the_first_and_finds_its_message_when_it_commits() throws Exception {
        try (Background background = new Background()) {
            for (Isolation level : store.kind().isolationLevels()) {
                Tx first = level.begin(store);
                Published written = first.publish(once(level.name()));
                Tx second = beginAndLook(level);
                Future<Published> waiting = background.run(() -> second.publish(once(level.name())));
                store.awaitLockWait(waiting);
                first.commit();

                if (store.kind().refusesKeysAfterSnapshot(level)) {
                    // The key was taken by a transaction that this one's snapshot cannot see.
                    assertThatThrownBy(() -> waiting.get(30, SECONDS))
                            .isInstanceOf(ExecutionException.class)
                            .cause()
                            .isInstanceOfSatisfying(
                                    DatabaseException.class,
                                    e -> assertThat(e.isRetryable())
                                            .as(e.getMessage())
                                            .isTrue());
                    second.rollback();
                    Tx again = level.begin(store);
                    assertThat(again.publish(once(level.name()))).isEqualTo(again(written));
                    again.commit();
                } else {
                    assertThat(waiting.get(30, SECONDS)).as(level.name()).isEqualTo(again(written));
                    second.writeData(level.name().hashCode()).commit();
                }
            }
        }
        assertThat(count("postroom_message"))
                .isEqualTo(store.kind().isolationLevels().size());
    }

    @Test
    void the_second_waits_for_the_first_and_writes_when_it_rolls_back() throws Exception {
        try (Background background = new Background()) {
            for (Isolation level : store.kind().isolationLevels()) {
                Tx first = level.begin(store);
                first.publish(once(level.name()));
                Tx second = level.begin(store);
                Future<Published> waiting = background.run(() -> second.publish(once(level.name())));
                store.awaitLockWait(waiting);
                first.rollback();

                Published written = waiting.get(30, SECONDS);
                assertThat(written.alreadyExisted()).as(level.name()).isFalse();
                second.writeData(level.name().hashCode()).commit();
            }
        }
        assertThat(count("postroom_message"))
                .isEqualTo(store.kind().isolationLevels().size());
    }

    @Test
    void a_key_that_was_committed_after_the_snapshot_is_found_or_the_transaction_can_be_retried() {
        for (Isolation level : store.kind().isolationLevels()) {
            Tx late = beginAndLook(level);
            Published first = publish(once(level.name()));
            if (store.kind().refusesKeysAfterSnapshot(level)) {
                assertThatThrownBy(() -> late.publish(once(level.name())))
                        .isInstanceOfSatisfying(
                                DatabaseException.class,
                                e -> assertThat(e.isRetryable())
                                        .as(e.getMessage())
                                        .isTrue());
                late.rollback();
                assertThat(late.publish(once(level.name()))).isEqualTo(again(first));
            } else {
                assertThat(late.publish(once(level.name()))).as(level.name()).isEqualTo(again(first));
            }
            late.commit();
        }
        assertThat(count("postroom_message"))
                .isEqualTo(store.kind().isolationLevels().size());
    }

    @Test
    void a_taken_key_never_breaks_the_callers_transaction_at_any_level() {
        int order = 0;
        for (Isolation level : store.kind().isolationLevels()) {
            Published first = publish(once(level.name()));
            Tx tx = level.begin(store).writeData(++order);
            assertThat(tx.publish(once(level.name()))).as(level.name()).isEqualTo(again(first));
            tx.writeData(++order).commit();
        }
        assertThat(count("postroom_orders")).isEqualTo(order);
        assertThat(order).isGreaterThanOrEqualTo(6);
    }

    @Test
    void of_many_at_once_exactly_one_writes() throws Exception {
        int writers = 8;
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(writers);
            List<Future<List<Published>>> results = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                results.add(background.run(() -> {
                    List<Published> mine = new ArrayList<>();
                    for (int round = 0; round < 20; round++) {
                        together.await(30, SECONDS);
                        mine.add(publish(once("round " + round)));
                    }
                    return mine;
                }));
            }
            List<Published> all = new ArrayList<>();
            for (Future<List<Published>> result : results) {
                all.addAll(result.get(60, SECONDS));
            }
            assertThat(all).hasSize(writers * 20);
            assertThat(all).filteredOn(published -> !published.alreadyExisted()).hasSize(20);
            assertThat(all.stream().map(Published::id).distinct()).hasSize(20);
        }
        assertThat(reader().readAll()).hasSize(20);
    }

    @Test
    void two_that_take_two_keys_crosswise_both_end_and_the_losers_can_try_again() throws Exception {
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(2);
            Future<Boolean> one = background.run(() -> takeBoth(together, "a", "b"));
            Future<Boolean> other = background.run(() -> takeBoth(together, "b", "a"));
            assertThat(List.of(one.get(60, SECONDS), other.get(60, SECONDS))).contains(false);
        }
        // One after the other: where a deadlock ends by a timeout, two that try again at once meet again.
        publish(once("a"), once("b"));
        assertThat(publish(once("b"), once("a"))).allMatch(Published::alreadyExisted);
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    /** Whether it committed; the loser of a deadlock is told that it can be tried again. */
    private boolean takeBoth(CyclicBarrier together, String first, String second) throws Exception {
        try (Tx tx = begin()) {
            tx.publish(once(first));
            together.await(30, SECONDS);
            tx.publish(once(second));
            tx.commit();
            return true;
        } catch (DatabaseException e) {
            assertThat(e.isRetryable()).as(e.getMessage()).isTrue();
            return false;
        }
    }

    /** A transaction whose snapshot is taken, at levels that keep one. */
    private Tx beginAndLook(Isolation level) {
        Tx tx = level.begin(store);
        // H2's snapshot is that of the first look at each table; MariaDB's SERIALIZABLE would lock what it looks at.
        tx.value("SELECT count(*) FROM " + (store.kind() == Kind.H2 ? "postroom_dedup" : "postroom_orders"));
        return tx;
    }

    private static Message once(String key) {
        return IdempotencyContract.once(key);
    }
}
