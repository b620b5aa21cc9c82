package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Published;
import dev.postroom.inbox.Inbox;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many want one key at once and who has it rolls back: none of the others loses its transaction. */
@Tag("R5")
@Tag("R60")
public abstract class RolledBackTakerContract extends StoreContract {
    private final AtomicInteger order = new AtomicInteger();

    @Test
    void of_those_who_wait_for_an_idempotency_key_one_writes_and_none_is_broken() throws Exception {
        for (Takers takers : Takers.atEachLevel(store).toList()) {
            String key = takers.level().name();
            List<Published> published = takers.afterRollback(tx -> {
                tx.writeData(order.incrementAndGet());
                Published mine = tx.publish(IdempotencyContract.once(key));
                tx.writeData(order.incrementAndGet());
                return mine;
            });
            assertThat(published)
                    .as(key)
                    .filteredOn(one -> !one.alreadyExisted())
                    .hasSize(1);
            assertThat(published.stream().map(Published::id).distinct()).as(key).hasSize(1);
        }
        long levels = Takers.atEachLevel(store).count();
        assertThat(count("postroom_message")).isEqualTo(levels);
        assertThat(count("postroom_orders")).isEqualTo(levels * Takers.WAITING * 2);
    }

    @Test
    @Tag("R40")
    void of_those_who_wait_for_a_message_one_handles_it_and_none_is_broken() throws Exception {
        Inbox inbox = Inbox.configure(store.dataSource())
                .tablePrefix(store.names().prefix())
                .build();
        for (Takers takers : Takers.atEachLevel(store).toList()) {
            String id = takers.level().name();
            List<Boolean> taken = takers.afterRollback(tx -> {
                tx.writeData(order.incrementAndGet());
                boolean mine = inbox.take(tx.connection(), "billing", id);
                tx.writeData(order.incrementAndGet());
                return mine;
            });
            assertThat(taken).as(id).containsExactlyInAnyOrder(true, false, false, false);
        }
        long levels = Takers.atEachLevel(store).count();
        assertThat(count("postroom_inbox")).isEqualTo(levels);
        assertThat(count("postroom_orders")).isEqualTo(levels * Takers.WAITING * 2);
    }

    @Test
    void in_many_rounds_of_which_one_of_five_rolls_back_none_is_broken() throws Exception {
        int takers = 5;
        int rounds = 40;
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(takers);
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < takers; i++) {
                int taker = i;
                results.add(background.run(() -> {
                    for (int round = 0; round < rounds; round++) {
                        together.await(30, SECONDS);
                        takeTwo("round " + round, round % takers != taker);
                    }
                    return rounds;
                }));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get(60, SECONDS)).isEqualTo(rounds);
            }
        }
        assertThat(count("postroom_message")).isEqualTo(2L * rounds);
        assertThat(count("postroom_orders")).isEqualTo((takers - 1L) * rounds);
    }

    private void takeTwo(String key, boolean commits) {
        try (Tx tx = begin().patient().writeData(order.incrementAndGet())) {
            tx.publish(List.of(IdempotencyContract.once(key + " b"), IdempotencyContract.once(key + " a")));
            if (commits) {
                tx.commit();
            }
        }
    }
}
