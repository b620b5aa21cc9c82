package dev.postroom.testkit.contract;

import static dev.postroom.testkit.contract.TestRelay.A;
import static dev.postroom.testkit.contract.TestRelay.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.RefusedDataException;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.MessageSettler.Suspect;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A failure is written over the version it was decided on, and only by the owner of the lane. */
@Tag("R23")
public abstract class FailureContract extends StoreContract {

    @Test
    @Tag("R24")
    void a_failure_is_recorded_with_its_attempt_and_its_next_time() {
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders"));
        StoredMessage row = read(published);
        Settled settled = relay.settle(
                List.of(),
                List.of(relay.failure(
                        row,
                        Duration.ofMinutes(10),
                        true,
                        new Cause(FailureReason.TIMEOUT, "kein Gruß \uD83D\uDE80", "billing"))),
                true);
        assertThat(settled.left()).isZero();
        assertThat(settled.stale()).isEmpty();

        StoredMessage after = fetch(row);
        assertThat(after.progress().state()).isEqualTo(RowState.WAITING);
        assertThat(after.progress().attempts()).isEqualTo(1);
        assertThat(after.progress().version()).isEqualTo(row.progress().version() + 1);
        assertThat(Duration.between(row.createdAt(), after.due()))
                .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(12));
        MessageDetail detail = operator().find(published.id()).orElseThrow();
        assertThat(detail.item().reason()).isEqualTo(FailureReason.TIMEOUT);
        assertThat(detail.error()).isEqualTo("kein Gruß \uD83D\uDE80");
        assertThat(detail.attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.attempt()).isEqualTo(1);
            assertThat(attempt.reason()).isEqualTo(FailureReason.TIMEOUT);
            assertThat(attempt.error()).isEqualTo("kein Gruß \uD83D\uDE80");
            assertThat(attempt.destination()).isEqualTo("billing");
            assertThat(attempt.node()).isEqualTo("r");
            assertThat(attempt.at()).isAfterOrEqualTo(row.createdAt());
        });
    }

    @Test
    @Tag("R27")
    void the_last_failure_makes_a_dead_letter() {
        String error = "x".repeat(20_000) + "\uD83D\uDE80"; // how much is kept is the relay's decision
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders").key("k"));
        Settled settled = relay.settle(
                List.of(),
                List.of(relay.failure(read(published), null, true, new Cause(FailureReason.POISON, error, null))),
                true);
        assertThat(settled.left()).isZero();
        assertThat(settled.stale()).isEmpty();
        assertThat(reader().readAll()).isEmpty();
        assertThat(new DueReader(store).readAll()).isEmpty();
        MessageDetail detail = operator().find(published.id()).orElseThrow();
        assertThat(detail.item().status()).isEqualTo(MessageStatus.DEAD);
        assertThat(detail.item().reason()).isEqualTo(FailureReason.POISON);
        assertThat(detail.error()).isEqualTo(error);
        assertThat(detail.attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.error()).isEqualTo(error);
            assertThat(attempt.destination()).isNull();
        });
    }

    @Test
    @Tag("I4")
    void a_failure_that_spends_no_attempt_keeps_the_count() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        change(
                relay,
                row,
                failure -> new Failure(
                        failure.key(), failure.version(), failure.epoch(), 0, Duration.ZERO, true, 0, failure.cause()));
        assertThat(fetch(row).progress().attempts()).isZero();
        assertThat(fetch(row).progress().state()).isEqualTo(RowState.WAITING);
    }

    @Test
    @Tag("R29")
    void what_other_destinations_confirmed_is_kept_with_the_failure() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        relay.settle(List.of(TestRelay.success(row, B, A | B | 4)), List.of(), true);
        Settled settled = change(
                relay,
                fetch(row),
                failure -> new Failure(
                        failure.key(), failure.version(), failure.epoch(), 1, Duration.ZERO, true, A, failure.cause()));
        assertThat(settled.stale()).isEmpty();
        assertThat(fetch(row).progress().completed()).isEqualTo(A | B);
    }

    @Test
    @Tag("R60")
    void a_value_that_is_refused_is_told_from_trouble_of_the_database() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        assertThatThrownBy(() -> change(
                        relay,
                        row,
                        failure -> new Failure(
                                failure.key(),
                                failure.version(),
                                failure.epoch(),
                                -1,
                                Duration.ZERO,
                                true,
                                0,
                                failure.cause())))
                .isInstanceOf(RefusedDataException.class);
        unchanged(row);
        execute("ALTER TABLE postroom_attempt RENAME COLUMN node TO lost");
        try {
            assertThatThrownBy(() -> relay.fail(row, Duration.ZERO))
                    .isInstanceOf(DatabaseException.class)
                    .isNotInstanceOf(RefusedDataException.class);
        } finally {
            execute("ALTER TABLE postroom_attempt RENAME COLUMN lost TO node");
        }
        assertThat(relay.fail(row, Duration.ZERO).stale()).isEmpty();
    }

    @Test
    @Tag("R60")
    void a_version_at_its_maximum_stays_there() {
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders"));
        execute("UPDATE postroom_message SET version = 2147483647");
        StoredMessage row = read(published);
        long epoch = relay.lease(row.key().lane()).epoch();
        assertThat(relay.settler().suspect("r", List.of(new Suspect(row.key(), Integer.MAX_VALUE, epoch, 1))))
                .containsExactly(row.key().id());
        assertThat(relay.fail(row, Duration.ZERO).stale()).isEmpty();
        operator().change(Change.RETRY, List.of(published.id()), "test");
        assertThat(fetch(row).progress().version()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    @Tag("R60")
    void text_that_not_every_database_takes_is_cleaned() {
        TestRelay relay = relay("r\0");
        Published published = publish(Message.to("orders"));
        Settled settled = relay.settle(
                List.of(),
                List.of(relay.failure(
                        read(published),
                        null,
                        true,
                        new Cause(FailureReason.POISON, "NUL \0, half \uD83D.", "bill\0ing"))),
                true);
        assertThat(settled.stale()).isEmpty();
        MessageDetail detail = operator().find(published.id()).orElseThrow();
        assertThat(detail.error()).isEqualTo("NUL \uFFFD, half \uFFFD.");
        assertThat(detail.attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.destination()).isEqualTo("bill\uFFFDing");
            assertThat(attempt.node()).isEqualTo("r\uFFFD");
        });
    }

    @Test
    @Tag("I8")
    void a_failure_over_an_older_version_is_stale_and_changes_nothing() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        relay.fail(row, Duration.ofHours(1));
        operator().change(Change.RETRY, List.of(row.key().id()), "test");
        StoredMessage retried = fetch(row);
        Settled settled = relay.bury(row);

        assertThat(settled.stale()).containsExactly(row.key().id());
        assertThat(fetch(row).progress()).isEqualTo(retried.progress());
        assertThat(count("postroom_attempt")).isEqualTo(1);
    }

    @Test
    @Tag("I5")
    void a_failure_by_a_relay_that_lost_the_lane_is_stale_and_changes_nothing() {
        TestRelay first = relay("first");
        StoredMessage row = read(publish(Message.to("orders")));
        execute("UPDATE postroom_lane SET lease_until = lease_until - interval '1' hour");
        TestRelay second = relay("second");
        assertThat(first.bury(row).stale()).containsExactly(row.key().id());
        unchanged(row);
        assertThat(second.fail(row, Duration.ZERO).stale()).isEmpty();
    }

    @Test
    @Tag("I5")
    void a_failure_with_an_older_epoch_of_the_same_owner_is_stale() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        LaneStore.Lease old = relay.lease(row.key().lane());
        relay.lanes().release("r", List.of(old));
        relay.acquire(List.of(old.lane()));
        assertThat(relay.lease(old.lane()).epoch()).isGreaterThan(old.epoch());
        Settled settled = change(
                relay,
                row,
                failure ->
                        new Failure(failure.key(), failure.version(), old.epoch(), 1, null, true, 0, failure.cause()));
        assertThat(settled.stale()).containsExactly(row.key().id());
        unchanged(row);
    }

    @Test
    @Tag("I5")
    void a_failure_with_another_owners_epoch_is_stale() {
        TestRelay owner = relay("owner");
        StoredMessage row = read(publish(Message.to("orders")));
        Settled settled = store.idleRelay("thief").settle(List.of(), List.of(owner.failure(row, Duration.ZERO)), true);
        assertThat(settled.stale()).containsExactly(row.key().id());
        unchanged(row);
    }

    @Test
    void a_failure_of_a_row_that_left_is_stale() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        relay.succeed(row);
        assertThat(relay.bury(row).stale()).containsExactly(row.key().id());
        assertThat(count("postroom_attempt")).isZero();
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    void a_failure_of_another_message_at_the_same_lane_and_seq_is_stale() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        RowKey wrong = new RowKey(row.key().lane(), row.key().seq(), UUID.randomUUID());
        Settled settled = change(
                relay,
                row,
                failure -> new Failure(wrong, failure.version(), failure.epoch(), 1, null, true, 0, failure.cause()));
        assertThat(settled.stale()).containsExactly(wrong.id());
        unchanged(row);
    }

    @Test
    @Tag("R37")
    void a_failure_of_a_message_that_was_delivered_and_replayed_meanwhile_is_stale() {
        TestRelay relay = relay("r");
        StoredMessage first = read(publish(Message.to("orders")));
        relay.succeed(first);
        operator().replay(new ReplayRequest(null, "orders", null, null, null, "audit", null), 1, "again", done -> {});
        StoredMessage again = new DueReader(store).readAll().get(0);
        assertThat(again.key().id()).isEqualTo(first.key().id());
        assertThat(relay.bury(first).stale()).containsExactly(first.key().id());
        unchanged(again);
    }

    @Test
    void one_stale_failure_does_not_stop_its_batch() {
        TestRelay relay = relay("r");
        publish(Message.to("orders"), Message.to("orders"), Message.to("orders"));
        List<StoredMessage> rows = reader().readAll();
        relay.fail(rows.get(1), Duration.ofHours(1));
        Settled settled = relay.settle(
                List.of(TestRelay.success(rows.get(2), A, A)),
                List.of(relay.failure(rows.get(0), Duration.ZERO), relay.failure(rows.get(1), Duration.ZERO)),
                true);
        assertThat(settled.stale()).containsExactly(rows.get(1).key().id());
        assertThat(settled.left()).isEqualTo(1);
        assertThat(fetch(rows.get(0)).progress().attempts()).isEqualTo(1);
    }

    @Test
    @Tag("R35")
    void lanes_are_given_back_in_the_settling_transaction() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        LaneStore.Lease lease = relay.lease(row.key().lane());
        Settled settled = relay.settler()
                .settle(new Batch("r", List.of(), List.of(relay.failure(row, Duration.ZERO)), true, List.of(lease)));
        assertThat(settled.stale()).isEmpty();
        assertThat(relay.lanes().lanes())
                .filteredOn(lane -> lane.owner() == null)
                .extracting(LaneStore.Lane::lane)
                .containsExactly(lease.lane());
    }

    @Test
    @Tag("R30")
    void lanes_given_back_with_outcomes_leave_nothing_to_suspect() {
        TestRelay relay = relay("r");
        LaneStore.Lease lease = relay.lease(7);
        relay.lanes().reserve("r", List.of(new LaneStore.Reservation(7, lease.epoch(), 100, 200)));
        giveBack("r", lease);
        LaneStore.Lane free = relay.lanes().lanes().get(7);
        assertThat(free.owner()).isNull();
        assertThat(List.of(free.suspectFrom(), free.suspectTo())).containsOnly(0L);
    }

    @Test
    @Tag("I5")
    void lanes_given_back_with_outcomes_are_only_the_owners_own() {
        TestRelay relay = relay("r");
        LaneStore.Lease lease = relay.lease(7);
        giveBack("thief", lease);
        giveBack("r", new LaneStore.Lease(7, lease.epoch() - 1, false, 0, 0));
        assertThat(relay.lanes().lanes().get(7).owner()).isEqualTo("r");
    }

    private void giveBack(String owner, LaneStore.Lease lease) {
        store.idleRelay(owner).settler().settle(new Batch(owner, List.of(), List.of(), true, List.of(lease)));
    }

    @Test
    @Tag("R27")
    void a_dead_letter_neither_fails_nor_crashes_whoever_buried_it() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        execute("UPDATE postroom_message SET dead_at = created_at, reason = 'UNKNOWN'"); // by hand, as some do
        assertThat(relay.fail(row, Duration.ZERO).stale())
                .containsExactly(row.key().id());
        long epoch = relay.lease(row.key().lane()).epoch();
        assertThat(relay.settler().suspect("r", List.of(new Suspect(row.key(), 0, epoch, 1))))
                .isEmpty();
        assertThat(operator().find(row.key().id()).orElseThrow().item().status())
                .isEqualTo(MessageStatus.DEAD);
    }

    @Test
    @Tag("R30")
    void a_suspects_crashes_are_raised_once_and_fenced() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        long epoch = relay.lease(row.key().lane()).epoch();
        Suspect suspect = new Suspect(row.key(), row.progress().version(), epoch, 1);

        assertThat(relay.settler().suspect("r", List.of(new Suspect(row.key(), 0, epoch + 1, 1))))
                .isEmpty();
        assertThat(store.idleRelay("thief").settler().suspect("thief", List.of(suspect)))
                .isEmpty();
        assertThat(fetch(row).progress().crashes()).isZero();

        assertThat(relay.settler().suspect("r", List.of(suspect)))
                .containsExactly(row.key().id());
        assertThat(relay.settler().suspect("r", List.of(suspect))).isEmpty();
        StoredMessage after = fetch(row);
        assertThat(after.progress().crashes()).isEqualTo(1);
        assertThat(after.progress().attempts()).isZero();
        assertThat(after.progress().version()).isEqualTo(row.progress().version() + 1);
        assertThat(after.progress().state()).isEqualTo(RowState.READY);
        assertThat(relay.fail(after, Duration.ZERO).stale()).isEmpty();
        assertThat(relay.settler().suspect("r", List.of())).isEmpty();
    }

    private Settled change(TestRelay relay, StoredMessage row, UnaryOperator<Failure> change) {
        return relay.settle(List.of(), List.of(change.apply(relay.failure(row, Duration.ZERO))), true);
    }

    private void unchanged(StoredMessage row) {
        assertThat(fetch(row).progress()).isEqualTo(row.progress());
        assertThat(count("postroom_attempt")).isZero();
        assertThat(value("SELECT error FROM postroom_message")).isNull();
    }

    private StoredMessage fetch(StoredMessage row) {
        List<StoredMessage> found = reader().fetch(List.of(row.key()), NO_LIMIT);
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
