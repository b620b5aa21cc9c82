package dev.postroom.testkit.contract;

import static dev.postroom.testkit.contract.TestRelay.A;
import static dev.postroom.testkit.contract.TestRelay.B;
import static dev.postroom.testkit.contract.TestRelay.success;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A confirmed message leaves the live table, whoever owns its lane by now. */
@Tag("R20")
public abstract class SuccessContract extends StoreContract {

    @Test
    @Tag("R34")
    void a_delivered_message_is_deleted_when_nothing_is_kept() {
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders"));
        Settled settled = relay.settle(List.of(success(read(published), A, A)), List.of(), false);
        assertThat(settled.left()).isEqualTo(1);
        assertThat(settled.stale()).isEmpty();
        assertThat(count("postroom_message")).isZero();
        assertThat(count("postroom_archive")).isZero();
        assertThat(count("postroom_attempt")).isZero();
    }

    @Test
    @Tag("R34")
    void a_delivered_message_moves_to_the_archive_with_all_it_had() {
        TestRelay relay = relay("r");
        Message message = Message.to("orders")
                .tenant("t")
                .key("k")
                .type("OrderPlaced")
                .source("shop")
                .headers(Map.of("h", "v\uD83D\uDE80"))
                .text("text/plain", "hello");
        Published published = publish(message);
        relay.fail(read(published), Duration.ZERO);
        StoredMessage row = new DueReader(store).readAll().get(0);
        assertThat(relay.succeed(row).left()).isEqualTo(1);

        assertThat(count("postroom_message")).isZero();
        MessageDetail detail = operator().find(published.id()).orElseThrow();
        assertThat(detail.item().status()).isEqualTo(MessageStatus.PROCESSED);
        assertThat(detail.item().stream()).isEqualTo(message.stream());
        assertThat(detail.item().seq()).isEqualTo(published.seq());
        assertThat(detail.item().type()).isEqualTo("OrderPlaced");
        assertThat(detail.item().attempts()).isEqualTo(1);
        assertThat(detail.item().createdAt()).isEqualTo(row.createdAt());
        assertThat(detail.item().processedAt()).isAfterOrEqualTo(row.createdAt());
        assertThat(detail.lane()).isEqualTo(published.lane());
        assertThat(detail.contentType()).isEqualTo("text/plain");
        assertThat(detail.headers()).isEqualTo(Map.of("h", "v\uD83D\uDE80"));
        assertThat(detail.payload()).isEqualTo(new byte[] {'h', 'e', 'l', 'l', 'o'});
        assertThat(detail.source()).isEqualTo("shop");
        assertThat(detail.attempts()).hasSize(1);
        assertThat(detail.facts()).isNull();
    }

    @Test
    @Tag("I7")
    void settling_the_same_batch_again_changes_nothing() {
        TestRelay relay = relay("r");
        publish(Message.to("orders"), Message.to("orders"));
        List<StoredMessage> rows = reader().readAll();
        Batch batch = new Batch(
                "r",
                List.of(success(rows.get(0), A, A)),
                List.of(relay.failure(rows.get(1), Duration.ofHours(1))),
                true,
                List.of());
        relay.settler().settle(batch);
        Settled again = relay.settler().settle(batch);

        assertThat(again.left()).isZero();
        assertThat(count("postroom_archive")).isEqualTo(1);
        assertThat(count("postroom_attempt")).isEqualTo(1);
        assertThat(value("SELECT attempts FROM postroom_message")).isEqualTo("1");
        assertThat(value("SELECT version FROM postroom_message")).isEqualTo("1");
    }

    @Test
    @Tag("R29")
    void completed_destinations_are_merged_and_the_row_leaves_when_its_route_is_covered() {
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders"));
        StoredMessage row = read(published);
        assertThat(relay.settle(List.of(success(row, A, A | B)), List.of(), true)
                        .left())
                .isZero();
        assertThat(value("SELECT completed FROM postroom_message")).isEqualTo("1");
        assertThat(relay.settle(List.of(success(row, A, A | B)), List.of(), true)
                        .left())
                .isZero();
        assertThat(relay.settle(List.of(success(row, B, A | B)), List.of(), true)
                        .left())
                .isEqualTo(1);
        assertThat(count("postroom_archive")).isEqualTo(1);
    }

    @Test
    @Tag("R29")
    void two_relays_that_confirm_different_destinations_complete_the_message_together() {
        Published published = publish(Message.to("orders"));
        StoredMessage row = read(published);
        TestRelay one = store.idleRelay("one");
        TestRelay other = store.idleRelay("other");
        assertThat(one.settle(List.of(success(row, A, A | B)), List.of(), true).left())
                .isZero();
        assertThat(other.settle(List.of(success(row, B, A | B)), List.of(), true)
                        .left())
                .isEqualTo(1);
        assertThat(count("postroom_message")).isZero();
        assertThat(count("postroom_archive")).isEqualTo(1);
    }

    @Test
    @Tag("R29")
    void the_highest_destination_bit_works() {
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders"));
        StoredMessage row = read(published);
        long highest = 1L << 62;
        relay.settle(List.of(success(row, highest, highest | A)), List.of(), true);
        assertThat(reader().fetch(List.of(row.key()), NO_LIMIT))
                .singleElement()
                .satisfies(found -> assertThat(found.progress().completed()).isEqualTo(highest));
        assertThat(relay.settle(List.of(success(row, A, highest | A)), List.of(), true)
                        .left())
                .isEqualTo(1);
    }

    @Test
    @Tag("R29")
    void completed_is_returned_by_the_next_read() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        relay.settle(List.of(success(row, B, A | B)), List.of(), true);
        assertThat(reader().readAll())
                .singleElement()
                .satisfies(found -> assertThat(found.progress().completed()).isEqualTo(B));
    }

    @Test
    void success_is_recorded_after_the_lane_was_lost() {
        relay("first");
        Published published = publish(Message.to("orders"));
        StoredMessage row = read(published);
        execute("UPDATE postroom_lane SET lease_until = lease_until - interval '1' hour");
        relay("second");
        TestRelay first = store.idleRelay("first");
        assertThat(first.settle(List.of(success(row, A, A)), List.of(), true).left())
                .isEqualTo(1);
    }

    @Test
    @Tag("I8")
    void success_is_recorded_after_an_operator_changed_the_row() {
        TestRelay relay = relay("r");
        publish(Message.to("orders"), Message.to("orders"));
        List<StoredMessage> rows = reader().readAll();
        relay.fail(rows.get(0), Duration.ofHours(1));
        operator().change(Change.RETRY, List.of(rows.get(0).key().id()), "test");
        operator().change(Change.DEAD_LETTER, List.of(rows.get(1).key().id()), "test");

        assertThat(relay.succeed(rows.toArray(StoredMessage[]::new)).left()).isEqualTo(2);
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    void success_of_a_due_row_is_recorded() {
        TestRelay relay = relay("r");
        publish(Message.to("orders").deliverAt(java.time.Instant.EPOCH));
        Published failed = publish(Message.to("orders"));
        relay.fail(read(failed), Duration.ZERO);
        List<StoredMessage> due = new DueReader(store).readAll();
        assertThat(due).hasSize(2);
        assertThat(relay.succeed(due.toArray(StoredMessage[]::new)).left()).isEqualTo(2);
    }

    @Test
    @Tag("R33")
    void another_message_at_the_same_lane_and_seq_is_not_touched() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        RowKey wrong = new RowKey(row.key().lane(), row.key().seq(), UUID.randomUUID());
        Settled settled = relay.settle(List.of(new Success(wrong, A, A)), List.of(), true);
        assertThat(settled.left()).isZero();
        assertThat(ids(reader().readAll())).containsExactly(row.key().id());
        assertThat(value("SELECT completed FROM postroom_message")).isEqualTo("0");
    }

    @Test
    @Tag("R37")
    @Tag("R60")
    void a_late_confirmation_does_not_touch_the_same_message_that_was_written_again() {
        TestRelay relay = relay("r");
        StoredMessage other = read(publish(Message.to("orders")));
        StoredMessage sent = read(publish(Message.to("orders")));
        // As a replay does: the message's id again, with another number, and not sent yet.
        relay.settle(List.of(success(other, A, A)), List.of(), false);
        execute("UPDATE postroom_message SET seq = ?", other.key().seq());
        for (boolean archive : new boolean[] {true, false}) {
            assertThat(relay.settle(List.of(success(sent, A, A)), List.of(), archive)
                            .left())
                    .isZero();
            assertThat(relay.settle(List.of(success(sent, A, A | B)), List.of(), archive)
                            .left())
                    .isZero();
        }
        assertThat(ids(reader().readAll())).containsExactly(sent.key().id());
        assertThat(value("SELECT completed FROM postroom_message")).isEqualTo("0");
        assertThat(count("postroom_archive")).isZero();
    }

    @Test
    @Tag("R37")
    void a_replayed_message_leaves_without_a_second_archive_entry() {
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders"));
        execute("UPDATE postroom_message SET only_destination = 'billing'");
        StoredMessage row = read(published);
        assertThat(row.progress().onlyDestination()).isEqualTo("billing");
        assertThat(relay.succeed(row).left()).isEqualTo(1);
        assertThat(count("postroom_message")).isZero();
        assertThat(count("postroom_archive")).isZero();
    }

    /** A settle whose answer was lost comes again, and so does what a relay hears after it lost its lane. */
    @Test
    @Tag("R37")
    void a_late_success_of_a_message_that_was_delivered_leaves_its_replay_alone() {
        TestRelay relay = relay("r");
        StoredMessage first = read(publish(Message.to("orders")));
        relay.succeed(first);
        operator().replay(new ReplayRequest(null, "orders", null, null, null, "audit", null), 1, "again", done -> {});
        StoredMessage replay = new DueReader(store).readAll().get(0);
        assertThat(replay.key().id()).isEqualTo(first.key().id());

        assertThat(relay.succeed(first).left()).isZero();
        assertThat(relay.settle(List.of(success(first, A, A | B)), List.of(), true)
                        .left())
                .isZero();

        assertThat(value("SELECT completed FROM postroom_message")).isEqualTo("0");
        assertThat(relay.succeed(replay).left()).isEqualTo(1);
    }

    @Test
    @Tag("R23")
    @Tag("I9")
    void a_thousand_mixed_outcomes_are_settled_at_once() {
        TestRelay relay = relay("r");
        publish(IntStream.range(0, 1_000)
                .mapToObj(i -> Message.to("orders").key("k" + i % 100))
                .toArray(Message[]::new));
        List<StoredMessage> rows = reader().readAll();
        assertThat(rows).hasSize(1_000);
        Settled settled = relay.settle(
                IntStream.range(0, 1_000)
                        .filter(i -> i % 4 < 2)
                        .mapToObj(i -> success(rows.get(i), A, i % 4 == 0 ? A : A | B))
                        .toList(),
                IntStream.range(0, 1_000)
                        .filter(i -> i % 4 >= 2)
                        .mapToObj(i -> relay.failure(rows.get(i), i % 4 == 2 ? Duration.ofHours(1) : null))
                        .toList(),
                true);
        assertThat(settled.left()).isEqualTo(250);
        assertThat(settled.stale()).isEmpty();
        assertThat(count("postroom_archive")).isEqualTo(250);
        assertThat(value("SELECT count(*) FROM postroom_message WHERE completed = 1"))
                .isEqualTo("250");
        assertThat(value("SELECT count(*) FROM postroom_message WHERE retry_at IS NOT NULL AND dead_at IS NULL"))
                .isEqualTo("250");
        assertThat(value("SELECT count(*) FROM postroom_message WHERE dead_at IS NOT NULL"))
                .isEqualTo("250");
        assertThat(count("postroom_attempt")).isEqualTo(500);
    }

    @Test
    @Tag("I10")
    void settling_does_not_wait_for_writers_whose_transactions_are_open() throws Exception {
        TestRelay relay = relay("r");
        Tx writer = begin();
        for (int batch : new int[] {1, 2, 3, 10}) {
            String topic = "batch " + batch;
            writer.publish(Message.to("open"));
            publish(IntStream.range(0, 4 * batch)
                    .mapToObj(i -> Message.to(topic).key("k" + i))
                    .toArray(Message[]::new));
            writer.publish(Message.to("open"));
            List<StoredMessage> rows = reader().readAll().stream()
                    .filter(row -> row.stream().topic().equals(topic))
                    .toList();
            assertThat(rows).hasSize(4 * batch);
            try (Background background = new Background()) {
                Settled settled = background
                        .run(() -> relay.settle(
                                rows.subList(0, 2 * batch).stream()
                                        .map(row -> success(row, A, row.key().seq() % 2 == 0 ? A : A | B))
                                        .toList(),
                                rows.subList(2 * batch, 4 * batch).stream()
                                        .map(row -> relay.failure(row, Duration.ofHours(1)))
                                        .toList(),
                                true))
                        .get(5, TimeUnit.SECONDS);
                assertThat(settled.left()).as(topic).isEqualTo(batch);
                assertThat(settled.stale()).as(topic).isEmpty();
            }
        }
        writer.commit();
        assertThat(reader().readAll())
                .filteredOn(row -> row.stream().topic().equals("open"))
                .hasSize(8);
    }

    @Test
    void an_empty_batch_is_fine() {
        Settled settled = relay("r").settle(List.of(), List.of(), true);
        assertThat(settled.left()).isZero();
        assertThat(settled.stale()).isEmpty();
    }
}
