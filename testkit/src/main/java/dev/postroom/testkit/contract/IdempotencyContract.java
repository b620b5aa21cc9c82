package dev.postroom.testkit.contract;

import static dev.postroom.testkit.contract.TestRelay.A;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The second publish of an idempotency key succeeds, changes nothing and names the first message. */
@Tag("R5")
public abstract class IdempotencyContract extends StoreContract {

    @Test
    void a_key_used_twice_in_one_transaction_is_one_message() {
        Tx tx = begin().writeData(1);
        Published first = tx.publish(once("k"));
        Published second = tx.publish(once("k"));
        tx.writeData(2).commit();

        assertThat(first.alreadyExisted()).isFalse();
        assertThat(second).isEqualTo(again(first));
        assertThat(ids(reader().readAll())).containsExactly(first.id());
        assertThat(count("postroom_orders")).isEqualTo(2);
    }

    @Test
    void a_key_used_twice_in_one_call_is_one_message() {
        List<Published> published = publish(once("a"), once("b"), once("a"), Message.to("orders"), once("b"));

        assertThat(published).extracting(Published::alreadyExisted).containsExactly(false, false, true, false, true);
        assertThat(published.get(2).id()).isEqualTo(published.get(0).id());
        assertThat(published.get(4).id()).isEqualTo(published.get(1).id());
        assertThat(ids(reader().readAll()))
                .containsExactlyInAnyOrder(
                        published.get(0).id(),
                        published.get(1).id(),
                        published.get(3).id());
    }

    @Test
    void a_message_given_twice_in_one_call_is_one_message() {
        Message message = once("k");
        List<Published> published = publish(message, Message.to("orders"), message);

        assertThat(published.get(0).alreadyExisted()).isFalse();
        assertThat(published.get(2)).isEqualTo(again(published.get(0)));
        assertThat(publish(message)).isEqualTo(published.get(2));
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    @Test
    void a_key_taken_by_a_committed_transaction_is_taken() {
        Published first = publish(once("k"));
        Tx tx = begin().writeData(1);
        Published second = tx.publish(once("k"));
        tx.writeData(2).commit();

        assertThat(second).isEqualTo(again(first));
        assertThat(count("postroom_message")).isEqualTo(1);
        assertThat(count("postroom_orders")).isEqualTo(2);
    }

    @Test
    void a_call_may_mix_taken_and_fresh_keys() {
        Published taken = publish(once("taken"));
        List<Published> published = publish(once("fresh"), once("taken"), Message.to("orders"));
        assertThat(published).extracting(Published::alreadyExisted).containsExactly(false, true, false);
        assertThat(published.get(1).id()).isEqualTo(taken.id());
        assertThat(count("postroom_message")).isEqualTo(3);
    }

    @Test
    @Tag("R8")
    void the_same_key_in_two_tenants_is_two_messages() {
        List<Published> published = publish(
                once("k"),
                once("k").tenant("a"),
                once("k").tenant("b"),
                once("k").tenant("A"));
        assertThat(published).extracting(Published::alreadyExisted).containsOnly(false);
        assertThat(publish(once("k").tenant("a")).id())
                .isEqualTo(published.get(1).id());
    }

    @Test
    void keys_that_differ_in_case_blanks_or_accents_are_different() {
        List<String> keys =
                List.of("a", "A", "a ", " a", "ä", "a\u0308", "i", "I", "ı", "İ", "ss", "ß", "%", "_", "\\");
        List<Published> published =
                publish(keys.stream().map(IdempotencyContract::once).toArray(Message[]::new));
        assertThat(published).extracting(Published::alreadyExisted).containsOnly(false);
        for (int i = 0; i < keys.size(); i++) {
            assertThat(publish(once(keys.get(i))).id())
                    .isEqualTo(published.get(i).id());
        }
    }

    @Test
    void a_key_is_remembered_after_its_message_left() {
        TestRelay relay = relay("r");
        Published archived = publish(once("archived"));
        Published deleted = publish(once("deleted"));
        Published removed = publish(once("removed"));
        relay.succeed(read(archived));
        relay.settle(List.of(TestRelay.success(read(deleted), A, A)), List.of(), false);
        relay.bury(read(removed));
        operator().change(Change.DELETE, List.of(removed.id()), "test");
        assertThat(count("postroom_message")).isZero();
        assertThat(operator().find(archived.id()).orElseThrow().item().status()).isEqualTo(MessageStatus.PROCESSED);
        assertThat(operator().find(deleted.id())).isEmpty();

        assertThat(publish(once("archived"))).isEqualTo(again(archived));
        assertThat(publish(once("deleted"))).isEqualTo(again(deleted));
        assertThat(publish(once("removed"))).isEqualTo(again(removed));
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    void a_key_is_remembered_after_the_archive_forgot_its_message() {
        Published archived = publish(once("archived"));
        relay("r").succeed(read(archived));
        execute("DELETE FROM postroom_archive");
        assertThat(publish(once("archived"))).isEqualTo(again(archived));
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    void a_rolled_back_key_is_free_again() {
        Tx tx = begin();
        Published never = tx.publish(once("k"));
        tx.rollback();
        Published second = publish(once("k"));
        assertThat(second.alreadyExisted()).isFalse();
        assertThat(second.id()).isNotEqualTo(never.id());
    }

    @Test
    void a_key_is_remembered_for_its_window_at_least() {
        publish(once("k"));
        assertThat(store.store().maintenance().purgeDedup(100)).isZero();
        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '6' day");
        assertThat(store.store().maintenance().purgeDedup(100)).isZero();
        assertThat(publish(once("k")).alreadyExisted()).isTrue();
        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '1' day");
        assertThat(store.store().maintenance().purgeDedup(100)).isEqualTo(1);
        assertThat(publish(once("k")).alreadyExisted()).isFalse();
    }

    @Test
    void purging_keys_goes_in_bounded_steps() {
        publish(IntStream.range(0, 25).mapToObj(i -> once("k" + i)).toArray(Message[]::new));
        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '8' day");
        assertThat(store.store().maintenance().purgeDedup(10)).isEqualTo(10);
        assertThat(store.store().maintenance().purgeDedup(10)).isEqualTo(10);
        assertThat(store.store().maintenance().purgeDedup(10)).isEqualTo(5);
        assertThat(store.store().maintenance().purgeDedup(10)).isZero();
    }

    static Message once(String key) {
        return Message.to("orders").idempotencyKey(key);
    }
}
