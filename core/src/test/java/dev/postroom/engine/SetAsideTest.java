package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of outcomes that the database refuses in every form, and of the relay that remembers them. */
@Tag("R60")
class SetAsideTest extends RefusalTestBase {
    private static final Duration MINUTE = HandFedEngine.LEASE.multipliedBy(6);

    /** Lets time pass without losing lane 1. */
    private void pass(Duration time) {
        for (Duration left = time; !left.isZero(); left = left.minusSeconds(1)) {
            engine.tick(Duration.ofSeconds(1));
            engine.renew(1);
        }
    }

    private void setAsideWhat(boolean fails, StoredMessage... rows) {
        if (fails) {
            for (StoredMessage row : rows) {
                engine.reply(row, "a", BROKEN);
            }
        } else {
            confirm(rows);
        }
        settle(batch -> true);
    }

    @Nested
    class The_next_try {
        @Test
        void is_not_put_off_by_what_is_set_aside_later() {
            StoredMessage[] rows = sent(2);
            setAsideWhat(false, rows[0]);
            pass(MINUTE.minusSeconds(1));
            setAsideWhat(false, rows[1]);
            engine.tick(Duration.ofSeconds(1));
            assertThat(engine.take(Command.Settle.class).batch().successes())
                    .singleElement()
                    .satisfies(success -> assertThat(success.key()).isEqualTo(rows[0].key()));
        }

        @Test
        void is_anothers_when_the_first_is_refused_again() {
            setAsideWhat(false, sent(2));
            pass(MINUTE);
            settle(refusing(1));
            assertThat(successes).isEmpty();
            pass(MINUTE);
            settle(refusing(1));
            assertThat(successes).containsExactly(2L);
        }

        @Test
        void tells_at_last_that_the_archive_lacks_the_message() {
            setAsideWhat(false, sent(1));
            engine.heard.clear();
            pass(MINUTE);
            settle(batch -> false);
            assertThat(engine.heard).containsExactly("NOT_ARCHIVED 1");
        }

        @Test
        @Tag("R35")
        void does_not_come_when_the_relay_stops() {
            setAsideWhat(false, sent(2)[0]);
            engine.tell(new Event.Stop());
            engine.tick(MINUTE);
            assertThat(engine.wants(Command.Settle.class)).isFalse();
        }
    }

    @Nested
    class A_failure {
        @Test
        @Tag("R35")
        void lets_its_lane_be_given_back() {
            setAsideWhat(true, sent(1));
            engine.tell(new Event.Stop());
            settle(batch -> !batch.failures().isEmpty());
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.wants(Command.Leave.class)).isTrue();
        }

        @Test
        void is_forgotten_with_its_lane() {
            setAsideWhat(true, sent(1));
            assertThat(details()).contains("\"setAside\":1");
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
            assertThat(details()).contains("\"setAside\":0");
        }

        @Test
        void is_over_when_an_operator_changes_the_row() {
            setAsideWhat(true, sent(1));
            engine.read(row(1, 1, "t", null, new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, null, 1)));
            engine.reserve();
            engine.assertSent("a:1");
            assertThat(details()).contains("\"setAside\":0");
        }

        @Test
        void is_no_lane_that_stands_still() {
            setAsideWhat(true, sent(1));
            details();
            assertThat(details()).contains("\"longestStallSeconds\":0.000");
        }

        @Test
        @Tag("R30")
        void of_a_suspect_lets_other_suspects_go() {
            engine.answer(Command.ReadPauses.class, new Event.PausesRead(Pauses.NONE));
            engine.acquire(List.of(new LaneStore.Lease(1, 1, true, 1, 9)));
            StoredMessage first = suspect(1);
            StoredMessage second = suspect(2);
            engine.read(first, second);
            engine.reserve();
            engine.tick(Duration.ofMillis(5));
            List<RowKey> alone = counted();
            engine.assertSent("a:" + alone.get(0).seq());
            engine.reply(alone.get(0).equals(first.key()) ? first : second, "a", BROKEN);
            engine.tick(Duration.ofMillis(5));
            assertThat(counted()).as("its count is taken back").isEqualTo(alone);
            settle(batch -> true);
            engine.tick(Duration.ofMillis(5));
            assertThat(counted()).doesNotContainAnyElementsOf(alone).hasSize(1);
        }

        /** Of the last kind: each goes alone. */
        private StoredMessage suspect(long seq) {
            return row(1, seq, "t", null, new StoredMessage.Progress(RowState.READY, 0, 2, 0, false, null, 0));
        }

        private List<RowKey> counted() {
            List<RowKey> keys = engine.take(Command.Suspect.class).suspects().stream()
                    .map(suspect -> suspect.key())
                    .toList();
            engine.tell(new Event.Suspected(keys.stream().map(RowKey::id).collect(Collectors.toSet())));
            return keys;
        }
    }

    @Nested
    class What_one_destination_confirmed {
        private final StoredMessage row = sent(1, 1, "both")[0];

        @Test
        @Tag("I7")
        void is_remembered_when_a_failure_at_another_is_set_aside_and_goes_with_its_lane() {
            setAsideWhat(false, row);
            engine.reply(row, "b", BROKEN);
            settle(batch -> true);
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.acquire(List.of(new LaneStore.Lease(1, 2, false, 0, 0)));

            engine.read(row);
            engine.reserve();
            engine.assertSent("b:1");
        }

        @Test
        @Tag("I7")
        void is_known_to_a_read_that_began_before_it_was_recorded_with_anothers_confirmation() {
            setAsideWhat(false, row);
            engine.await(Command.Follow.class);
            engine.reply(row, "b", Outcome.confirmed());
            settle(batch -> false);

            engine.tell(engine.pageWith(row));
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
        }
    }

    @Nested
    class Too_many {
        private static final int MOST = SetAside.MOST;

        @Test
        void stop_the_sending_until_one_can_be_recorded() {
            StoredMessage[] rows = sent(MOST + 1);
            setAsideWhat(false, Arrays.copyOf(rows, MOST - 1));
            engine.read(row(1, MOST + 2, "t", null));
            engine.reserve();
            engine.assertSent("a:" + (MOST + 2));
            setAsideWhat(false, rows[MOST - 1]);
            assertThat(details()).contains("\"setAside\":" + MOST);
            engine.read(row(1, MOST + 3, "t", null));
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
            pass(MINUTE);
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
            Batch again = engine.take(Command.Settle.class).batch();
            engine.settled(again);
            engine.reserve();
            engine.assertSent("a:" + (MOST + 3));
        }
    }
}
