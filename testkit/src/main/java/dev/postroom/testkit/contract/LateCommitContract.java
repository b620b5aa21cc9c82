package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.StoredMessage;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row with a lower sequence number that commits after a higher one was read is never missed. */
@Tag("R33")
@Tag("I1")
public abstract class LateCommitContract extends StoreContract {

    @Test
    void a_lower_number_that_commits_after_a_higher_one_was_read_is_returned() {
        ReferenceReader reader = reader();
        Tx slow = begin();
        Published late = slow.publish(Message.to("orders").key("k"));
        Published early = publish(Message.to("orders").key("k"));
        assertThat(ids(reader.readAll())).containsExactly(early.id());
        slow.commit();

        assertThat(ids(reader.readAll())).containsExactly(late.id());
    }

    /** A has its transaction id before B, so a snapshot after A's commit ends just before B's id and does not list B as running. */
    @Test
    void a_transaction_younger_than_the_snapshots_end_is_late_too() {
        Tx a = begin().writeData(1);
        Tx b = begin();
        Published late = b.publish(Message.to("orders").key("k"));
        Published early = a.publish(Message.to("orders").key("k"));
        a.commit();
        ReferenceReader reader = reader();
        assertThat(ids(reader.readAll())).containsExactly(early.id());
        b.commit();

        assertThat(ids(reader.readAll())).containsExactly(late.id());
    }

    @Test
    void a_late_transaction_of_any_size_is_found_in_bounded_pieces() {
        ReferenceReader reader = reader().limitPerLane(50).lateLimit(20);
        Tx slow = begin();
        List<Published> late = slow.publish(messages("late", 300));
        Published early = publish(Message.to("orders").key("k"));
        assertThat(ids(reader.readAll())).containsExactly(early.id());
        slow.commit();

        assertThat(ids(reader.readAll())).containsExactlyInAnyOrder(idsOf(late));
        assertThat(reader.cuts()).isEqualTo(tellsLateRows() ? 1 : 0);
    }

    @Test
    void late_rows_of_many_small_transactions_are_found_in_bounded_pieces() {
        ReferenceReader reader = reader().lateLimit(5);
        List<Tx> slow = IntStream.range(0, 12).mapToObj(i -> begin()).toList();
        List<Published> late = slow.stream()
                .map(tx -> tx.publish(Message.to("orders").key("k")))
                .toList();
        Published early = publish(Message.to("orders").key("other"));
        assertThat(ids(reader.readAll())).containsExactly(early.id());
        slow.forEach(Tx::commit);
        Published later = publish(Message.to("orders").key("k"));

        List<UUID> found = ids(reader.readAll());
        assertThat(found).hasSize(13).contains(idsOf(late)).endsWith(later.id());
    }

    @Test
    @Tag("R22")
    void late_rows_come_before_later_ones_of_their_stream_whatever_their_topics() {
        ReferenceReader reader = reader();
        Tx slow = begin();
        List<Published> late = slow.publish(
                List.of(Message.to("orders").key("k"), Message.to("bills").key("k")));
        publish(messages("unrelated", 50).toArray(Message[]::new));
        assertThat(reader.readAll()).hasSize(50);
        slow.commit();
        Published later = publish(Message.to("reminders").key("k"));

        assertThat(ids(reader.readAll()))
                .containsExactly(late.get(0).id(), late.get(1).id(), later.id());
    }

    @Test
    void what_lies_behind_with_an_old_transaction_is_found_by_the_sweep() {
        ReferenceReader reader = reader();
        List<Published> two =
                publish(Message.to("orders").key("k"), Message.to("orders").key("k"));
        execute(
                "UPDATE postroom_message SET dead_at = CURRENT_TIMESTAMP, reason = 'x' WHERE seq = ?",
                two.get(0).seq());
        assertThat(ids(reader.readAll())).containsExactly(two.get(1).id());
        execute(
                "UPDATE postroom_message SET dead_at = NULL WHERE seq = ?",
                two.get(0).seq());

        assertThat(ids(reader.readAll())).containsExactly(two.get(0).id());
    }

    @Test
    void it_is_returned_also_to_a_reader_that_had_read_before_the_transaction_began() {
        ReferenceReader reader = reader();
        publish(Message.to("orders").key("k"));
        assertThat(reader.readAll()).hasSize(1);
        Tx slow = begin();
        Published late = slow.publish(Message.to("orders").key("k"));
        publish(Message.to("orders").key("k"));
        assertThat(reader.readAll()).hasSize(1);
        slow.commit();

        assertThat(ids(reader.readExactly(1))).containsExactly(late.id());
    }

    @Test
    void many_rows_of_a_transaction_that_stays_open_during_many_reads_all_come() {
        Tx slow = begin();
        List<Published> late = slow.publish(messages("late", 300));
        ReferenceReader reader = reader();
        TestRelay relay = relay("r");
        for (int round = 0; round < 30; round++) {
            Published quick = publish(Message.to("quick").key("k" + round));
            List<StoredMessage> rows = reader.readExactly(1);
            assertThat(ids(rows)).containsExactly(quick.id());
            if (round % 2 == 0) {
                relay.succeed(rows.get(0));
                reader.forget(rows);
            }
        }
        slow.commit();

        assertThat(late.stream().map(Published::lane).distinct().count()).isGreaterThan(32);
        assertThat(ids(reader.readExactly(300))).containsExactlyInAnyOrder(idsOf(late));
    }

    @Test
    void late_rows_come_whatever_was_settled_meanwhile() {
        TestRelay relay = relay("r");
        ReferenceReader reader = reader();
        Tx slow = begin();
        Published late = slow.publish(Message.to("orders").key("k"));
        publish(Message.to("orders").key("k"), Message.to("orders").key("other"));
        List<StoredMessage> rows = reader.readExactly(2);
        relay.succeed(rows.toArray(StoredMessage[]::new));
        reader.forget(rows);
        assertThat(count("postroom_message")).isZero();
        assertThat(reader.read()).isEmpty();
        slow.commit();

        assertThat(ids(reader.readExactly(1))).containsExactly(late.id());
    }

    @Test
    void the_order_in_which_open_transactions_commit_does_not_matter() {
        List<Tx> open = new ArrayList<>();
        List<Published> published = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Tx tx = begin();
            published.add(tx.publish(Message.to("orders").key("k" + i % 3)));
            open.add(tx);
        }
        ReferenceReader reader = reader();
        publish(Message.to("orders").key("k0"));
        assertThat(reader.readAll()).hasSize(1);
        List<UUID> seen = new ArrayList<>();
        for (int i : new int[] {11, 0, 5, 10, 1, 6, 9, 2, 7, 8, 3, 4}) {
            open.get(i).commit();
            List<StoredMessage> fresh = reader.readExactly(1);
            assertThat(ids(fresh)).containsExactly(published.get(i).id());
            seen.addAll(ids(fresh));
        }
        assertThat(seen).containsExactlyInAnyOrder(idsOf(published));
    }

    @Test
    @Tag("I2")
    void what_is_rolled_back_late_never_comes() {
        ReferenceReader reader = reader();
        Tx slow = begin();
        Published never = slow.publish(Message.to("orders").key("k"));
        Published early = publish(Message.to("orders").key("k"));
        assertThat(ids(reader.readAll())).containsExactly(early.id());
        slow.rollback();
        for (int reads = 0; reads < 10; reads++) {
            assertThat(reader.read()).isEmpty();
        }
        assertThat(never.seq()).isLessThan(early.seq());
    }

    @Test
    @Tag("I2")
    void savepoints_of_a_late_transaction_count_by_themselves() {
        ReferenceReader reader = reader();
        Tx slow = begin();
        slow.savepoint();
        Published kept = slow.publish(Message.to("orders").key("k"));
        Savepoint second = slow.savepoint();
        slow.publish(Message.to("orders").key("k"));
        // Another stream of the same lane, whose row takes the position beyond the late ones.
        Published beyond = inLane(kept.lane());
        assertThat(ids(reader.readAll())).containsExactly(beyond.id());
        slow.rollbackTo(second);
        Published afterRollback = slow.publish(Message.to("orders").key("k"));
        slow.commit();

        assertThat(kept.seq()).isLessThan(reader.position(kept.lane()));
        assertThat(ids(reader.readExactly(2))).containsExactly(kept.id(), afterRollback.id());
    }

    @Test
    @Tag("R22")
    void late_rows_come_first_also_when_they_outnumber_a_page() {
        ReferenceReader reader = reader().limitPerLane(2);
        Tx slow = begin();
        List<Published> late = slow.publish(IntStream.range(0, 20)
                .mapToObj(i -> Message.to("orders").key("k"))
                .toList());
        // The position in the lane moves on behind another stream of the same lane.
        int lane = late.get(0).lane();
        Published beyond = inLane(lane);
        assertThat(ids(reader.readAll())).contains(beyond.id());
        assertThat(reader.position(lane)).isGreaterThan(late.get(19).seq());
        slow.commit();
        Published later = publish(Message.to("orders").key("k"));

        List<UUID> expected = new ArrayList<>(late.stream().map(Published::id).toList());
        expected.add(later.id());
        assertThat(ids(reader.readExactly(21))).isEqualTo(expected);
    }

    @Test
    void a_lane_taken_later_is_read_from_its_start() {
        Tx slow = begin();
        List<Published> late = slow.publish(messages("late", 64));
        List<Published> early = publish(messages("early", 64).toArray(Message[]::new));
        ReferenceReader reader = new ReferenceReader(store.plainReader(), ALL_LANES.subList(0, 32));
        int before = reader.readAll().size();
        assertThat(before)
                .isEqualTo((int) early.stream().filter(row -> row.lane() < 32).count())
                .isGreaterThan(0);
        slow.commit();
        ALL_LANES.subList(32, 64).forEach(reader::add);

        assertThat(reader.readExactly(late.size() + early.size() - before)).hasSize(128 - before);
    }

    @Test
    void a_second_reader_that_begins_later_sees_all_of_it_once() {
        Tx slow = begin();
        Published late = slow.publish(Message.to("orders").key("k"));
        Published early = publish(Message.to("orders").key("k"));
        assertThat(reader().readAll()).hasSize(1);
        ReferenceReader second = reader();
        assertThat(second.readAll()).hasSize(1);
        slow.commit();
        assertThat(ids(second.readExactly(1))).containsExactly(late.id());
        assertThat(ids(reader().readExactly(2))).containsExactly(late.id(), early.id());
    }

    /** Writes a message of some stream that belongs to the lane. */
    private Published inLane(int lane) {
        for (int i = 0; i < 10_000; i++) {
            try (Tx tx = begin()) {
                Published published = tx.publish(Message.to("other").key("key " + i));
                if (published.lane() == lane) {
                    tx.commit();
                    return published;
                }
            }
        }
        throw new AssertionError("no key belongs to lane " + lane);
    }

    private boolean tellsLateRows() {
        return store.kind() == DatabaseUnderTest.Kind.POSTGRESQL;
    }

    private static List<Message> messages(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Message.to(topic).key("k" + i))
                .toList();
    }
}
