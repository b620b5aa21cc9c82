package dev.postroom.testkit.contract;

import static dev.postroom.testkit.contract.TestRelay.A;
import static dev.postroom.testkit.contract.TestRelay.success;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.DeliveryTime;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.Stream;
import dev.postroom.inbox.Inbox;
import dev.postroom.operations.Change;
import dev.postroom.operations.Maintenance;
import dev.postroom.spi.Content;
import dev.postroom.spi.NewMessage;
import dev.postroom.spi.StoredMessage;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applications keep transactions open for as long as they like: nobody who works on other rows waits for them. */
@Tag("R60")
@Tag("I10")
public abstract class BesideWritersContract extends StoreContract {
    private static final int MESSAGES = 40;

    @Test
    void settling_most_of_the_table_waits_for_no_writer() throws Exception {
        TestRelay relay = relay("r");
        Tx writer = begin();
        List<StoredMessage> rows = amongUncommitted(writer);
        assertThat(settle(relay, rows.subList(0, 30), true)).isEqualTo(30);
        writer.publish(Message.to("open"));
        assertThat(settle(relay, rows.subList(30, MESSAGES), false)).isEqualTo(10);
        writer.commit();
        assertThat(count("postroom_archive")).isEqualTo(30);
        assertThat(reader().readAll()).hasSize(3);
    }

    @Test
    void failing_most_of_the_table_waits_for_no_writer() throws Exception {
        TestRelay relay = relay("r");
        Tx writer = begin();
        List<StoredMessage> rows = amongUncommitted(writer).subList(0, 30);
        atOnce(() -> relay.settle(
                List.of(),
                rows.stream()
                        .map(row -> relay.failure(row, Duration.ofHours(1)))
                        .toList(),
                true));
        writer.commit();
        assertThat(count("postroom_attempt")).isEqualTo(30);
    }

    @Test
    @Tag("R54")
    void operators_who_change_most_of_the_table_wait_for_no_writer() throws Exception {
        Tx writer = begin();
        List<UUID> ids = ids(amongUncommitted(writer));
        assertThat(change(Change.DEAD_LETTER, ids.subList(0, 30))).isEqualTo(30);
        assertThat(change(Change.RETRY, ids.subList(0, 30))).isEqualTo(30);
        assertThat(change(Change.RELEASE, ids.subList(0, 35))).isEqualTo(35);
        assertThat(change(Change.SKIP, ids.subList(0, 20))).isEqualTo(20);
        assertThat(change(Change.DEAD_LETTER, ids.subList(20, MESSAGES))).isEqualTo(20);
        assertThat(change(Change.DELETE, ids.subList(20, MESSAGES))).isEqualTo(20);
        writer.commit();
        assertThat(reader().readAll()).hasSize(2);
        assertThat(count("postroom_archive")).isEqualTo(20);
    }

    @Test
    @Tag("R5")
    void purging_expired_keys_leaves_those_that_a_transaction_uses_again() throws Exception {
        publish(IntStream.range(0, 30).mapToObj(i -> once("k" + i)).toArray(Message[]::new));
        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '30' day");
        Tx writer = begin();
        assertThat(writer.publish(once("k5")).alreadyExisted()).isTrue();
        assertThat(writer.publish(once("new")).alreadyExisted()).isFalse();
        long purged = atOnce(() -> maintenance().purgeDedup(100));
        assertThat(purged).isGreaterThanOrEqualTo(29);
        writer.publish(once("newer"));
        writer.commit();
        assertThat(purged + maintenance().purgeDedup(100)).isEqualTo(30);
        assertThat(count("postroom_dedup")).isEqualTo(2);
    }

    @Test
    @Tag("R40")
    void purging_the_inbox_leaves_what_a_transaction_looks_at_again() throws Exception {
        Inbox inbox = Inbox.configure(store.dataSource())
                .tablePrefix(store.names().prefix())
                .build();
        for (int i = 0; i < 30; i++) {
            String id = "m" + i;
            inbox.handleOnce("billing", id, tx -> {});
        }
        execute("UPDATE postroom_inbox SET handled_at = handled_at - interval '30' day");
        Tx consumer = begin();
        assertThat(inbox.take(consumer.connection(), "billing", "m5")).isFalse();
        assertThat(inbox.take(consumer.connection(), "billing", "new")).isTrue();
        long purged = atOnce(() -> maintenance().purgeInbox(Duration.ofDays(7), 100));
        assertThat(purged).isGreaterThanOrEqualTo(29);
        assertThat(inbox.take(consumer.connection(), "billing", "newer")).isTrue();
        consumer.commit();
        assertThat(purged + maintenance().purgeInbox(Duration.ofDays(7), 100)).isEqualTo(30);
    }

    @Test
    @Tag("R5")
    void purging_breaks_no_transaction_that_takes_keys_again() throws Exception {
        int rounds = 40;
        try (Background background = new Background()) {
            List<Future<Integer>> producers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int producer = i;
                producers.add(background.run(() -> {
                    for (int round = 0; round < rounds; round++) {
                        int from = round * 5 + producer;
                        takeFour(IntStream.range(from, from + 4)
                                .mapToObj(key -> expiringAtOnce("k" + key % 12))
                                .toList());
                    }
                    return rounds;
                }));
            }
            while (!producers.stream().allMatch(Future::isDone)) {
                maintenance().purgeDedup(100);
            }
            for (Future<Integer> producer : producers) {
                assertThat(producer.get(30, SECONDS)).isEqualTo(rounds);
            }
        }
    }

    private void takeFour(List<NewMessage> four) throws SQLException {
        try (Tx tx = begin()) {
            assertThat(store.store().writer().write(tx.connection(), four)).hasSize(4);
            tx.commit();
        } catch (SQLException e) {
            // Who looks for a key that is purged at that moment may be told to try again, except by MariaDB, whose
            // transaction would be lost. Keys that expire at once make it likely here.
            if (store.kind() == Kind.MARIADB || !"40001".equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    /** An outbox remembers a key for a minute at least. */
    private static NewMessage expiringAtOnce(String key) {
        Content content = new Content(null, "text/plain", null, Map.of(), new byte[0], null);
        NewMessage.Dedup dedup = new NewMessage.Dedup(key, Duration.ZERO);
        return new NewMessage(
                UUID.randomUUID(), null, new Stream("", "orders", null), content, new DeliveryTime.Now(), dedup);
    }

    /** Committed messages, with rows of the writer's before and after them. */
    private List<StoredMessage> amongUncommitted(Tx writer) {
        writer.publish(Message.to("open"));
        List<Published> published = publish(IntStream.range(0, MESSAGES)
                .mapToObj(i -> Message.to("orders").key("k" + i))
                .toArray(Message[]::new));
        writer.publish(Message.to("open"));
        List<StoredMessage> rows = reader().readAll();
        assertThat(ids(rows)).containsExactlyInAnyOrder(idsOf(published));
        return rows;
    }

    private static int settle(TestRelay relay, List<StoredMessage> rows, boolean archive) throws Exception {
        return atOnce(() -> relay.settle(
                        rows.stream().map(row -> success(row, A, A)).toList(), List.of(), archive))
                .left();
    }

    private long change(Change change, List<UUID> ids) throws Exception {
        return atOnce(() -> operator().change(change, ids, "test")).changed();
    }

    /** Far sooner than a lock that is waited for ends by a time-out, which is none of 50 s in MariaDB. */
    private static <T> T atOnce(Callable<T> work) throws Exception {
        try (Background background = new Background()) {
            return background.run(work).get(20, SECONDS);
        }
    }

    private Maintenance maintenance() {
        return store.store().maintenance();
    }

    private static Message once(String key) {
        return IdempotencyContract.once(key);
    }
}
