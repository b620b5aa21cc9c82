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
                Tx second = level.begin(store);
                lookAround(second);
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
                    assertThat(again.publish(once(level.name()))).isEqualTo(Published.existing(written.id()));
                    again.commit();
                } else {
                    assertThat(waiting.get(30, SECONDS)).as(level.name()).isEqualTo(Published.existing(written.id()));
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
            Tx late = level.begin(store);
            lookAround(late);
            Published first = publish(once(level.name()));
            if (store.kind().refusesKeysAfterSnapshot(level)) {
                assertThatThrownBy(() -> late.publish(once(level.name())))
                        .isInstanceOfSatisfying(
                                DatabaseException.class,
                                e -> assertThat(e.isRetryable())
                                        .as(e.getMessage())
                                        .isTrue());
                late.rollback();
                assertThat(late.publish(once(level.name()))).isEqualTo(Published.existing(first.id()));
            } else {
                assertThat(late.publish(once(level.name()))).as(level.name()).isEqualTo(Published.existing(first.id()));
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
            assertThat(tx.publish(once(level.name()))).as(level.name()).isEqualTo(Published.existing(first.id()));
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
    void two_that_take_two_keys_crosswise_both_end_and_nothing_is_written_twice() throws Exception {
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(2);
            Future<Boolean> one = background.run(() -> takeBoth(together, "a", "b"));
            Future<Boolean> other = background.run(() -> takeBoth(together, "b", "a"));
            assertThat(one.get(60, SECONDS)).isTrue();
            assertThat(other.get(60, SECONDS)).isTrue();
        }
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    /** Commits in the end; before, the database may have chosen it as a deadlock's victim: retryable, so it is retried. */
    private boolean takeBoth(CyclicBarrier together, String first, String second) throws Exception {
        for (int tries = 0; tries < 10; tries++) {
            try (Tx tx = begin()) {
                tx.publish(once(first));
                if (tries == 0) {
                    together.await(30, SECONDS);
                }
                tx.publish(once(second));
                tx.commit();
                return true;
            } catch (DatabaseException e) {
                assertThat(e.isRetryable()).as(e.getMessage()).isTrue();
            }
        }
        return false;
    }

    /**
     * Takes the transaction's snapshot, where it keeps one. H2 takes one of each table at the first look at it; MariaDB's
     * SERIALIZABLE locks what it looks at.
     */
    private void lookAround(Tx tx) {
        tx.value("SELECT count(*) FROM " + (store.kind() == Kind.H2 ? "postroom_dedup" : "postroom_orders"));
    }

    private static Message once(String key) {
        return IdempotencyContract.once(key);
    }
}
