package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.Published;
import dev.postroom.operations.MessageStatus;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.Tracing;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A message gets its id when it is published; one that the caller chose is written once. */
@Tag("R75")
public abstract class GivenIdContract extends StoreContract {
    private final UUID id = UUID.randomUUID();

    @Test
    void a_message_published_many_times_is_as_many_messages() {
        Message template = Message.to("orders").key("k").header("a", "b");
        try (Tx tx = begin()) {
            tx.publish(template);
            tx.publish(List.of(template, template));
            tx.commit();
        }
        Published later = publish(template);

        assertThat(later.alreadyExisted()).isFalse();
        assertThat(later.id().version()).as("ids grow with time").isEqualTo(7);
        assertThat(ids(reader().readAll())).hasSize(4).doesNotHaveDuplicates().contains(later.id());
    }

    @Test
    void an_id_used_twice_in_one_transaction_is_one_message() {
        Tx tx = begin().writeData(1);
        Published first = tx.publish(given());
        Published second = tx.publish(given());
        tx.writeData(2).commit();

        assertThat(first.id()).isEqualTo(id);
        assertThat(first.alreadyExisted()).isFalse();
        assertThat(second).isEqualTo(again(first));
        assertThat(ids(reader().readAll())).containsExactly(id);
        assertThat(count("postroom_orders")).isEqualTo(2);
    }

    @Test
    void an_id_used_twice_in_one_call_is_one_message() {
        UUID other = UUID.randomUUID();
        List<Published> published = publish(
                given(), Message.to("orders"), given(), Message.to("orders").id(other));

        assertThat(published).extracting(Published::alreadyExisted).containsExactly(false, false, true, false);
        assertThat(published.get(2).id()).isEqualTo(id);
        assertThat(published.get(3).id()).isEqualTo(other);
        assertThat(count("postroom_message")).isEqualTo(3);
    }

    /** More than are looked up by one statement. */
    @Test
    void ids_that_are_there_are_found_among_any_number_of_others() {
        List<Message> many = IntStream.range(0, 300)
                .mapToObj(n -> Message.to("orders").id(UUID.randomUUID()).idempotencyKey("k" + n))
                .toList();
        try (Tx tx = begin()) {
            tx.publish(many);
            tx.commit();
        }
        execute("DELETE FROM postroom_dedup");

        try (Tx tx = begin()) {
            assertThat(tx.publish(many)).allSatisfy(published -> {
                assertThat(published.alreadyExisted()).isTrue();
                assertThat(published.idempotencyKey()).isNotNull();
            });
            tx.commit();
        }
        assertThat(count("postroom_message")).isEqualTo(300);
    }

    @Test
    @Tag("R8")
    void an_id_is_one_message_across_tenants_topics_and_idempotency_keys() {
        publish(given());
        assertThat(publish(given().tenant("another"), Message.to("elsewhere").id(id), given().idempotencyKey("fresh")))
                .extracting(Published::alreadyExisted)
                .containsOnly(true);
        assertThat(publish(given().idempotencyKey("a").id(UUID.randomUUID()), given().idempotencyKey("b")))
                .extracting(Published::alreadyExisted)
                .containsExactly(false, true);
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    @Test
    void a_taken_idempotency_key_leaves_the_id_free() {
        Published first = publish(Message.to("orders").idempotencyKey("k"));
        assertThat(publish(given().idempotencyKey("k"))).isEqualTo(again(first));
        assertThat(publish(given()).alreadyExisted()).isFalse();
    }

    @Test
    void an_id_whose_first_message_in_a_call_was_superfluous_is_written_with_the_second() {
        Published first = publish(Message.to("orders").idempotencyKey("k"));
        List<Published> published = publish(given().idempotencyKey("k"), given(), given());

        assertThat(published.get(0)).isEqualTo(again(first));
        assertThat(published).extracting(Published::alreadyExisted).containsExactly(true, false, true);
        assertThat(ids(reader().readAll())).containsExactlyInAnyOrder(first.id(), id);
    }

    @Test
    @Tag("R5")
    void the_result_carries_the_idempotency_key() {
        assertThat(publish(given().idempotencyKey("k")).idempotencyKey()).isEqualTo("k");
        assertThat(publish(given()).idempotencyKey()).isNull();
    }

    /** Neither is what is drawn any different from what is given later, nor is what others inserted. */
    @Test
    void the_id_of_any_message_that_is_there_is_taken() {
        Published drawn = publish(Message.to("orders"));
        execute("INSERT INTO postroom_message (id, topic, payload) VALUES ('" + id + "', 'orders', '')");
        assertThat(publish(Message.to("orders").id(drawn.id()), given()))
                .extracting(Published::alreadyExisted)
                .containsOnly(true);
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    @Test
    void an_id_is_taken_while_its_message_is_archived_whatever_the_dedup_window() {
        Published first = publish(given());
        relay("r").succeed(read(first));
        assertThat(operator().find(id).orElseThrow().item().status()).isEqualTo(MessageStatus.PROCESSED);
        execute("DELETE FROM postroom_dedup");

        Tx tx = begin().writeData(1);
        assertThat(tx.publish(given())).isEqualTo(again(first));
        tx.writeData(2).commit();
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    void an_id_is_remembered_for_the_dedup_window_after_its_message_left() {
        Published first = publish(given());
        relay("r").succeed(read(first));
        execute("DELETE FROM postroom_archive");
        assertThat(publish(given())).isEqualTo(again(first));

        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '8' day");
        assertThat(store.store().maintenance().purgeDedup(100)).isEqualTo(1);
        assertThat(publish(given()).alreadyExisted()).isFalse();
    }

    @Test
    void a_message_that_moves_to_the_archive_while_it_is_looked_for_is_found() {
        Published first = publish(given());
        execute("DELETE FROM postroom_dedup");
        TestRelay relay = relay("r");
        StoredMessage row = read(first);
        AtomicInteger statements = new AtomicInteger();
        try (Tx tx = begin()) {
            Connection watched = beforeEach(tx.connection(), () -> {
                if (statements.incrementAndGet() == 2) {
                    relay.succeed(row);
                }
            });
            assertThat(store.outbox().publish(watched, given())).isEqualTo(again(first));
            tx.commit();
        }
        assertThat(statements).hasValueGreaterThanOrEqualTo(2);
        assertThat(count("postroom_message")).isZero();
    }

    /** A connection with something that happens before each of its statements. */
    private static Connection beforeEach(Connection connection, Runnable event) {
        return (Connection) Proxy.newProxyInstance(
                GivenIdContract.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("prepareStatement")) {
                        event.run();
                    }
                    return method.invoke(connection, args);
                });
    }

    @Test
    void who_gives_an_id_that_another_transaction_has_just_given_waits_for_its_end() throws Exception {
        try (Background background = new Background()) {
            for (boolean commits : new boolean[] {false, true}) {
                Tx first = begin();
                first.publish(given());
                Tx second = begin();
                Future<Published> waiting = background.run(() -> second.publish(given()));
                store.awaitLockWait(waiting);
                if (commits) {
                    first.commit();
                } else {
                    first.rollback();
                }
                assertThat(waiting.get(30, SECONDS).alreadyExisted()).isEqualTo(commits);
                second.writeData(commits ? 1 : 2);
                if (commits) {
                    second.commit();
                } else {
                    second.rollback();
                }
            }
        }
        assertThat(count("postroom_message")).isEqualTo(1);
    }

    /** Claims are taken in one order, whatever the order of the messages: who waits for one has not taken a later one. */
    @Test
    void two_that_give_the_same_ids_in_opposite_order_wait_and_do_not_deadlock() throws Exception {
        Message early = Message.to("orders").id(new UUID(1, 1));
        Message late = Message.to("orders").id(new UUID(2, 2));
        try (Background background = new Background();
                Tx first = begin();
                Tx second = begin()) {
            first.publish(early);
            Future<List<Published>> waiting = background.run(() -> second.publish(List.of(late, early)));
            store.awaitLockWait(waiting);
            assertThat(first.publish(late).alreadyExisted()).isFalse();
            first.commit();
            assertThat(waiting.get(30, SECONDS)).allMatch(Published::alreadyExisted);
            second.commit();
        }
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    @Test
    void an_id_is_remembered_also_where_traces_are_carried_and_as_long_as_the_outbox_says() {
        Outbox outbox = store.configureOutbox()
                .dedupWindow(Duration.ofDays(1))
                .tracing(new Tracing() {
                    @Override
                    public Map<String, String> publishing(Message message) {
                        return Map.of("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
                    }
                })
                .build();
        outbox.publishInOwnTransaction(given());
        relay("r").succeed(reader().readAll().get(0));
        execute("DELETE FROM postroom_archive");
        assertThat(outbox.publishInOwnTransaction(given()).alreadyExisted()).isTrue();

        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '2' day");
        assertThat(store.store().maintenance().purgeDedup(100)).isEqualTo(1);
    }

    @Test
    void ids_and_idempotency_keys_are_apart() {
        publish(given());
        assertThat(publish(
                                Message.to("orders").idempotencyKey(id.toString()),
                                Message.to("orders").tenant(id.toString()).idempotencyKey(id.toString()))
                        .stream()
                        .map(Published::alreadyExisted))
                .containsOnly(false);
        assertThatThrownBy(
                        () -> publish(Message.to("orders").tenant(id.toString()).idempotencyKey("")))
                .isInstanceOf(MessageRejectedException.class);
    }

    private Message given() {
        return Message.to("orders").id(id);
    }
}
