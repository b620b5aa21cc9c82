package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.Owing;
import java.sql.Savepoint;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row with a lower number that commits after a higher one was read is never missed by a follower, however many there are. */
@Tag("R33")
@Tag("I1")
public abstract class FollowLateContract extends StoreContract {
    private ReferenceFollower follower() {
        return new ReferenceFollower(store.closing(store.store().openFollowReader(Owing.EVERYWHERE)));
    }

    private static List<UUID> taken(List<FollowedMessage> rows) {
        return rows.stream().map(row -> row.key().id()).toList();
    }

    @Test
    void a_lower_number_that_commits_after_a_higher_one_was_read_is_returned() {
        ReferenceFollower follower = follower();
        Tx slow = begin();
        Published late = slow.publish(Message.to("orders").key("k"));
        Published early = publish(Message.to("orders").key("k"));
        assertThat(taken(follower.readAll())).containsExactly(early.id());
        slow.commit();

        assertThat(taken(follower.readAll())).containsExactly(late.id());
    }

    /** A has its transaction id before B, so a snapshot after A's commit ends just before B's id and does not list B as running. */
    @Test
    void a_transaction_younger_than_the_snapshots_end_is_late_too() {
        Tx a = begin().writeData(1);
        Tx b = begin();
        Published late = b.publish(Message.to("orders").key("k"));
        Published early = a.publish(Message.to("orders").key("k"));
        a.commit();
        ReferenceFollower follower = follower();
        assertThat(taken(follower.readAll())).containsExactly(early.id());
        b.commit();

        assertThat(taken(follower.readAll())).containsExactly(late.id());
    }

    @Test
    @Tag("I2")
    void savepoints_of_a_late_transaction_count_by_themselves() {
        ReferenceFollower follower = follower();
        Tx slow = begin();
        slow.savepoint();
        Published kept = slow.publish(Message.to("orders").key("k"));
        Savepoint second = slow.savepoint();
        slow.publish(Message.to("orders").key("k"));
        Published beyond = publish(Message.to("orders").key("k"));
        assertThat(taken(follower.readAll())).containsExactly(beyond.id());
        slow.rollbackTo(second);
        Published afterRollback = slow.publish(Message.to("orders").key("k"));
        slow.commit();

        assertThat(taken(follower.readAll())).containsExactlyInAnyOrder(kept.id(), afterRollback.id());
    }

    @Test
    void a_late_transaction_of_any_size_is_found_in_bounded_pieces() {
        ReferenceFollower follower = follower().limit(50).lateLimit(20);
        Tx slow = begin();
        List<Published> late = slow.publish(messages("late", 300));
        Published early = publish(Message.to("orders").key("k"));
        assertThat(taken(follower.readAll())).containsExactly(early.id());
        slow.commit();

        assertThat(taken(follower.readAll())).containsExactlyInAnyOrder(idsOf(late));
        assertThat(follower.cuts()).isEqualTo(tellsLateRows() ? 1 : 0);
    }

    @Test
    void late_rows_of_many_small_transactions_are_found_in_bounded_pieces() {
        ReferenceFollower follower = follower().lateLimit(5);
        List<Tx> slow = IntStream.range(0, 12).mapToObj(i -> begin()).toList();
        List<Published> late = slow.stream()
                .map(tx -> tx.publish(Message.to("orders").key("k")))
                .toList();
        Published early = publish(Message.to("orders").key("other"));
        assertThat(taken(follower.readAll())).containsExactly(early.id());
        slow.forEach(Tx::commit);
        Published later = publish(Message.to("orders").key("k"));

        List<UUID> found = taken(follower.readAll());
        assertThat(found).hasSize(13).contains(idsOf(late)).endsWith(later.id());
    }

    @Test
    @Tag("R22")
    void late_rows_come_before_later_ones_of_their_stream_whatever_their_topics() {
        ReferenceFollower follower = follower();
        Tx slow = begin();
        List<Published> late = slow.publish(
                List.of(Message.to("orders").key("k"), Message.to("bills").key("k")));
        publish(messages("unrelated", 50).toArray(Message[]::new));
        assertThat(follower.readAll()).hasSize(50);
        slow.commit();
        Published later = publish(Message.to("reminders").key("k"));

        assertThat(taken(follower.readAll()))
                .containsExactly(late.get(0).id(), late.get(1).id(), later.id());
    }

    @Test
    void what_lies_behind_with_an_old_transaction_is_found_by_the_sweep() {
        ReferenceFollower follower = follower();
        List<Published> two =
                publish(Message.to("orders").key("k"), Message.to("orders").key("k"));
        execute(
                "UPDATE postroom_message SET dead_at = CURRENT_TIMESTAMP, reason = 'x' WHERE seq = ?",
                two.get(0).seq());
        assertThat(taken(follower.readAll())).containsExactly(two.get(1).id());
        execute(
                "UPDATE postroom_message SET dead_at = NULL WHERE seq = ?",
                two.get(0).seq());

        assertThat(taken(follower.readAll())).containsExactly(two.get(0).id());
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
