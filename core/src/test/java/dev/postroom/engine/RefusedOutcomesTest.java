package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the database refuses for the values in it concerns that message only; any other trouble of its concerns nobody. */
@Tag("R60")
class RefusedOutcomesTest extends RefusalTestBase {
    @Nested
    class A_success {
        @Test
        void leaves_without_its_archive_entry_and_all_others_with_theirs() {
            confirm(sent(40));
            int commands = settle(refusing(13).and(Batch::archive));
            assertThat(successes).hasSize(40);
            assertThat(commands).isLessThan(20);
            assertThat(engine.heard).containsExactly("NOT_ARCHIVED 13");
            assertThat(engine.inMemory()).isZero();
        }

        @Test
        void that_is_refused_in_every_form_is_set_aside_and_not_sent_again() {
            StoredMessage[] rows = sent(10);
            confirm(rows);
            settle(refusing(3));
            assertThat(successes).hasSize(9).doesNotContain(3L);
            assertThat(engine.heard).containsExactly("SET_ASIDE 3");
            assertThat(details()).contains("\"setAside\":1,\"setAsideWhy\":\"check violated\"");
            engine.read(rows[2], row(1, 11, "t", null));
            engine.reserve();
            engine.assertSent("a:11");
        }

        @Test
        void that_was_set_aside_is_recorded_when_the_cause_is_gone() {
            confirm(sent(2));
            settle(batch -> true);
            assertThat(successes).isEmpty();
            assertThat(settle(batch -> true)).isZero();
            engine.tick(Duration.ofSeconds(61));
            settle(batch -> false);
            assertThat(successes).containsExactly(1L, 2L);
            assertThat(details()).contains("\"setAside\":0");
        }

        @Test
        @Tag("I7")
        void that_is_recorded_while_a_read_is_under_way_is_not_taken_from_that_read() {
            StoredMessage[] rows = sent(1);
            confirm(rows);
            settle(batch -> true);
            engine.tick(Duration.ofSeconds(61));
            engine.await(Command.Follow.class);
            settle(batch -> false);
            assertThat(successes).containsExactly(1L);
            renew();
            engine.read(rows[0], row(1, 2, "t", null));
            engine.reserve();
            engine.assertSent("a:2");
        }

        @Test
        @Tag("I7")
        void that_is_recorded_when_it_was_just_read_again_is_not_sent_again() {
            StoredMessage[] rows = sent(1);
            confirm(rows);
            settle(batch -> true);
            while (!engine.wants(Command.Settle.class)) {
                engine.tick(Duration.ofSeconds(1));
                engine.renew(1);
                engine.answerReads();
            }
            engine.await(Command.Follow.class);
            // In one turn: no read is under way that would still have to know that it was delivered.
            engine.tell(List.of(engine.pageWith(rows), new Event.BatchSettled(new Settled(1, Set.of()))));
            engine.remove(rows[0]);
            engine.read();
            engine.reserve();
            engine.assertSent();
        }

        @Test
        void that_was_set_aside_is_tried_once_a_minute_and_told_once() {
            confirm(sent(5));
            settle(batch -> true);
            int told = engine.heard.size();
            engine.tick(Duration.ofSeconds(61));
            assertThat(settle(batch -> true)).isEqualTo(1);
            assertThat(engine.heard).hasSize(told);
        }

        @Test
        void that_was_set_aside_does_not_keep_the_relay_turning_while_the_database_has_trouble() {
            StoredMessage[] rows = sent(2);
            confirm(rows[0]);
            settle(batch -> true);
            confirm(rows[1]);
            engine.tick(Duration.ofSeconds(61));
            engine.take(Command.Settle.class);
            engine.tell(new Event.SettlerFailed("permission denied"));
            assertThat(engine.nextTurn()).isGreaterThan(engine.nanos());
        }

        @Test
        void that_was_set_aside_happened_whoever_changes_the_row() {
            StoredMessage[] rows = sent(1);
            confirm(rows);
            settle(batch -> true);
            engine.read(row(1, 1, "t", null, new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, null, 1)));
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
        }

        @Test
        @Tag("I7")
        void at_one_destination_happened_whoever_changes_the_row_that_waits_for_another() {
            StoredMessage[] rows = sent(1, 1, "both");
            confirm(rows);
            engine.reply(
                    rows[0],
                    "b",
                    new Outcome.Failed(FailureReason.TRANSPORT_UNAVAILABLE, "refused", Outcome.Scope.DESTINATION));
            settle(batch -> true);
            engine.read(row(1, 1, "both", null, new StoredMessage.Progress(RowState.READY, 0, 0, 0, true, null, 1)));
            engine.reserve();
            assertThat(engine.sent()).doesNotContain("a:1");
        }

        @Test
        void that_is_written_again_under_another_number_is_another() {
            confirm(sent(1));
            settle(batch -> true);
            StoredMessage again = row(1, 1, "t", null);
            engine.read(new StoredMessage(
                    new RowKey(1, 2, again.key().id()),
                    again.stream(),
                    again.content(),
                    again.progress(),
                    again.createdAt(),
                    null,
                    null));
            engine.reserve();
            engine.assertSent("a:2");
            engine.tell(new Event.Replied(new RowKey(1, 2, again.key().id()), "a", Outcome.confirmed()));
            engine.settled(engine.settling());
            assertThat(details()).as("the first is still to be recorded").contains("\"setAside\":1");
        }

        @Test
        void of_one_destination_is_not_forgotten_while_another_is_tried() {
            StoredMessage row = row(1, 1, "both", null);
            engine.owning(List.of(1));
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "a", Outcome.confirmed());
            engine.reply(row, "b", Outcome.unavailable("down"));
            settle(batch -> true);
            assertThat(engine.heard).contains("SET_ASIDE 1");
            engine.tick(Duration.ofSeconds(6));
            engine.read(row);
            engine.assertSent("b:1");
            engine.reply(row, "b", Outcome.confirmed());
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.take(Command.Settle.class).batch().successes())
                    .containsExactly(new Success(row.key(), 3, 3));
        }
    }

    @Nested
    class A_failure {
        @Test
        void becomes_a_dead_letter_whose_text_cannot_be_refused() {
            StoredMessage[] rows = sent(20);
            confirm(Arrays.copyOf(rows, 19));
            engine.reply(rows[19], "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "it broke"));
            settle(batch -> batch.failures().stream()
                    .anyMatch(one -> one.cause().error().contains("broke")));
            assertThat(successes).hasSize(19);
            assertThat(failures).singleElement().satisfies(failure -> {
                assertThat(failure.key()).isEqualTo(rows[19].key());
                assertThat(failure.retryAfter()).isNull();
                assertThat(failure.attempts()).isZero();
                assertThat(failure.cause().reason()).isEqualTo(FailureReason.HANDLER_EXCEPTION);
                assertThat(failure.cause().error()).contains("refused to record this failure");
            });
            assertThat(engine.heard).containsExactly("DEAD_LETTERED 20");
        }

        @Test
        void is_told_once_more_when_it_was_not_the_end_before() {
            StoredMessage[] rows = sent(2);
            engine.reply(rows[0], "a", BROKEN);
            engine.reply(rows[1], "a", Outcome.failed(FailureReason.VALIDATION_FAILURE, "it broke"));
            settle(batch -> batch.failures().stream()
                    .anyMatch(one -> one.cause().error().contains("broke")));
            assertThat(engine.failures)
                    .containsExactlyInAnyOrder(
                            "1 HANDLER_EXCEPTION 1000", "1 HANDLER_EXCEPTION -1", "2 VALIDATION_FAILURE -1");
        }

        @Test
        void that_was_overtaken_is_not_told_as_a_dead_letter() {
            StoredMessage row = sent(1)[0];
            engine.reply(row, "a", BROKEN);
            engine.settling();
            engine.tell(new Event.SettlerFailed("check violated", true));
            engine.settled(engine.take(Command.Settle.class).batch(), row.key().id());
            assertThat(engine.heard).containsExactly("overtaken 1");
        }

        @Test
        @Tag("R22")
        void holds_its_stream_as_a_dead_letter_and_keeps_what_others_confirmed() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "a", Outcome.confirmed());
            engine.reply(row, "b", BROKEN);
            engine.settling();
            engine.tell(new Event.SettlerFailed("check violated", true));
            assertThat(engine.take(Command.Settle.class).batch().failures())
                    .singleElement()
                    .satisfies(failure -> {
                        assertThat(failure.holdsStream()).isTrue();
                        assertThat(failure.confirmed()).isEqualTo(1);
                    });
        }

        @Test
        void that_is_refused_in_every_form_holds_its_stream_and_nobody_else() {
            engine.owning(List.of(1));
            StoredMessage first = row(1, 1, "t", "k");
            engine.read(first, row(1, 2, "t", "k"), row(1, 3, "t", "other"));
            engine.reserve();
            engine.assertSent("a:1", "a:3");
            engine.reply(first, "a", BROKEN);
            settle(refusing(1));
            assertThat(engine.heard).containsExactly("SET_ASIDE 1");
            assertThat(engine.sent()).isEmpty();
            engine.tick(Duration.ofSeconds(61));
            settle(batch -> false);
            assertThat(failures)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.retryAfter()).isNull());
            assertThat(details()).contains("\"setAside\":0");
        }

        @Test
        @Tag("I7")
        void that_was_set_aside_is_sent_again_by_order_but_not_to_who_confirmed_it() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "a", Outcome.confirmed());
            engine.reply(row, "b", BROKEN);
            settle(refusing(1));
            assertThat(details()).contains("\"setAside\":1");
            engine.read(row(1, 1, "both", "k", new StoredMessage.Progress(RowState.READY, 0, 0, 0, true, null, 1)));
            engine.reserve();
            engine.assertSent("b:1");
            engine.reply(row, "b", Outcome.confirmed());
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.take(Command.Settle.class).batch().successes())
                    .containsExactly(new Success(row.key(), 3, 3));
        }

        @Test
        void that_was_set_aside_is_its_next_owners_when_its_lane_is_given_back() {
            StoredMessage row = row(63, 1, "t", "k");
            engine.owning(HandFedEngine.ONE_MORE_THAN_HALF);
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", BROKEN);
            settle(refusing(1));
            assertThat(details()).contains("\"setAside\":1");
            engine.tell(new Event.KeeperFailed("too late"));
            engine.anotherRelayComes();
            settle(refusing(1));
            assertThat(details()).contains("\"lanes\":32").contains("\"setAside\":0");
        }

        @Test
        void that_is_refused_again_after_its_lane_was_lost_is_nobodys_any_more() {
            engine.reply(sent(1)[0], "a", BROKEN);
            settle(refusing(1));
            engine.tick(Duration.ofSeconds(61));
            engine.take(Command.Settle.class);
            engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
            engine.tell(new Event.SettlerFailed("check violated", true));
            assertThat(details()).contains("\"lanes\":0").contains("\"setAside\":0");
            assertThat(engine.heard).containsExactly("SET_ASIDE 1");
        }

        @Test
        void counts_attempts_up_to_the_highest_number_and_no_further() {
            engine.owning(List.of(1));
            StoredMessage row = row(
                    1,
                    1,
                    "t",
                    null,
                    new StoredMessage.Progress(RowState.READY, Integer.MAX_VALUE, 0, 0, false, null, 0));
            engine.read(row);
            engine.reserve();
            assertThat(engine.take(Command.Send.class).delivery().attempt()).isEqualTo(Integer.MAX_VALUE);
            engine.reply(row, "a", BROKEN);
            assertThat(engine.settling().failures()).singleElement().satisfies(failure -> {
                assertThat(failure.attempts()).isEqualTo(Integer.MAX_VALUE);
                assertThat(failure.retryAfter()).isNull();
            });
        }
    }

    @Nested
    @Tag("R30")
    class A_count_of_crashes {
        private StoredMessage suspect(int crashes, int version) {
            return row(
                    1, 5, "t", null, new StoredMessage.Progress(RowState.READY, 0, crashes, 0, false, null, version));
        }

        private void read(StoredMessage row) {
            engine.answer(Command.ReadPauses.class, new Event.PausesRead(Pauses.NONE));
            engine.acquire(List.of(new LaneStore.Lease(1, 1, true, 5, 9)));
            engine.read(row);
            engine.reserve();
            engine.tick(Duration.ofMillis(5));
        }

        @Test
        @Tag("I6")
        void that_somebody_overtakes_forgets_nothing_that_a_destination_confirmed() {
            StoredMessage row = row(1, 5, "both", null);
            read(row);
            engine.answer(
                    Command.Suspect.class, new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5", "b:5");
            confirm(row);
            Batch batch = engine.settling();
            assertThat(batch.successes()).containsExactly(new Success(row.key(), 1, 3));
            engine.settled(batch);
            engine.reply(row, "b", new Outcome.Failed(FailureReason.TIMEOUT, "no answer", Outcome.Scope.UNCLEAR));
            engine.tick(Duration.ofMillis(5));
            engine.answer(Command.Suspect.class, new Event.Suspected(Set.of()));
            assertThat(engine.inMemory())
                    .as("whoever changed it may have deleted it: it is not sent to the other before it is read again")
                    .isZero();
        }

        @Test
        void that_is_refused_is_the_end_of_the_message_because_it_might_be_the_last() {
            StoredMessage row = suspect(1, 2);
            read(row);
            engine.answer(Command.Suspect.class, new Event.SettlerFailed("check violated", true));
            assertThat(engine.settling().failures()).singleElement().satisfies(failure -> {
                assertThat(failure.key()).isEqualTo(row.key());
                assertThat(failure.retryAfter()).isNull();
                assertThat(failure.cause().reason()).isEqualTo(FailureReason.POISON);
                assertThat(failure.cause().error()).contains("check violated");
            });
            assertThat(engine.sent()).isEmpty();
            assertThat(engine.wants(Command.Suspect.class)).isFalse();
        }

        @Test
        void that_cannot_be_taken_back_stays_and_is_not_counted_again() {
            StoredMessage row = suspect(1, 2);
            read(row);
            engine.answer(
                    Command.Suspect.class, new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5");
            engine.reply(row, "a", Outcome.unavailable("down"));
            engine.tick(Duration.ofMillis(5));
            engine.answer(Command.Suspect.class, new Event.SettlerFailed("check violated", true));
            engine.read(suspect(2, 4));
            engine.tick(Duration.ofSeconds(5));
            assertThat(engine.wants(Command.Suspect.class)).isFalse();
            engine.assertSent("a:5");
        }
    }

    @Nested
    class A_lane {
        @Test
        void is_given_back_after_all_pieces_are_recorded() {
            StoredMessage[] rows = sent(4);
            confirm(rows);
            engine.tell(new Event.Stop());
            List<Batch> given = new ArrayList<>();
            settle(batch -> {
                given.add(batch);
                return refusing(2).and(Batch::archive).test(batch);
            });
            assertThat(successes).hasSize(4);
            int release = 0;
            for (int i = 0; i < given.size(); i++) {
                if (!given.get(i).releases().isEmpty()
                        && !refusing(2).and(Batch::archive).test(given.get(i))) {
                    release = i;
                }
            }
            assertThat(release).isEqualTo(given.size() - 1);
            assertThat(given.get(release).releases()).hasSize(1);
        }

        @Test
        void that_goes_with_outcomes_of_another_waits_for_them() {
            confirmAndStop(4);
            Batch together = engine.take(Command.Settle.class).batch();
            assertThat(together.successes()).hasSize(4);
            assertThat(together.releases()).hasSize(1);
            engine.tell(new Event.SettlerFailed("check violated", true));
            settle(batch -> {
                boolean refused = refusing(2).and(Batch::archive).test(batch);
                assertThat(refused || batch.releases().isEmpty() || successes.size() == 4)
                        .isTrue();
                return refused;
            });
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.wants(Command.Leave.class)).isTrue();
        }

        @Test
        void that_is_refused_itself_blames_no_message() {
            confirmAndStop(1);
            Batch together = engine.take(Command.Settle.class).batch();
            assertThat(together.releases()).hasSize(1);
            engine.tell(new Event.SettlerFailed("check violated", true));
            Batch alone = engine.take(Command.Settle.class).batch();
            assertThat(alone.successes()).isEqualTo(together.successes());
            assertThat(alone.archive()).isTrue();
            engine.settled(alone);
            assertThat(engine.take(Command.Settle.class).batch().releases()).hasSize(2);
            engine.tell(new Event.SettlerFailed("check violated", true));
            assertThat(engine.wants(Command.Settle.class)).as("at once").isFalse();
            engine.tick(Duration.ofSeconds(1));
            assertThat(engine.take(Command.Settle.class).batch().releases()).hasSize(2);
        }

        /** Of two lanes, one has nothing to wait for. */
        private void confirmAndStop(long rows) {
            engine.owning(List.of(1, 2));
            StoredMessage[] all = LongStream.rangeClosed(1, rows)
                    .mapToObj(seq -> row(1, seq, "t", null))
                    .toArray(StoredMessage[]::new);
            engine.read(all);
            engine.reserve();
            engine.sent();
            List<Event> events = new ArrayList<>();
            Arrays.stream(all).forEach(row -> events.add(new Event.Replied(row.key(), "a", Outcome.confirmed())));
            events.add(new Event.Stop());
            engine.tell(events);
        }

        @Test
        void with_something_set_aside_can_be_given_back() {
            confirm(sent(1));
            settle(batch -> !batch.successes().isEmpty());
            engine.tell(new Event.Stop());
            settle(batch -> !batch.successes().isEmpty());
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.wants(Command.Leave.class)).isTrue();
        }
    }

    @Nested
    class Trouble_of_the_database {
        @Test
        void stops_the_sending_until_it_ends_and_nothing_dies() {
            StoredMessage[] rows = sent(3);
            confirm(rows[0]);
            engine.reply(rows[1], "a", BROKEN);
            Batch first = engine.settling();
            engine.tell(new Event.SettlerFailed("permission denied for table postroom_archive"));
            engine.read(row(1, 4, "t", null));
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
            for (int i = 0; i < 3; i++) { // within the lease
                engine.tick(Duration.ofSeconds(2));
                Batch again = engine.take(Command.Settle.class).batch();
                assertThat(again).isEqualTo(first);
                engine.tell(new Event.SettlerFailed("permission denied for table postroom_archive"));
                assertThat(engine.sent()).isEmpty();
            }
            engine.tick(Duration.ofSeconds(2));
            engine.settled(engine.take(Command.Settle.class).batch());
            engine.assertSent("a:4");
            assertThat(engine.heard).isEmpty();
        }

        @Test
        void is_told_with_its_reason() {
            confirm(sent(1));
            engine.settling();
            engine.tell(new Event.SettlerFailed("permission denied"));
            engine.tick(Duration.ofSeconds(2));
            assertThat(details()).contains("\"troubleSeconds\":5").contains("\"trouble\":\"permission denied\"");
            assertThat(engine.troubles).contains("settler: permission denied");
        }

        @Test
        void is_told_from_its_beginning_until_its_end() {
            confirm(sent(1));
            engine.settling();
            for (int i = 0; i < 3; i++) {
                engine.tell(new Event.SettlerFailed("try " + i));
                engine.tick(Duration.ofSeconds(2));
                engine.take(Command.Settle.class);
            }
            engine.tell(new Event.SettlerFailed("disk full"));
            assertThat(details()).contains("\"troubleSeconds\":9").contains("\"trouble\":\"disk full\"");
            engine.settled(engine.take(Command.Settle.class).batch());
            assertThat(details()).contains("\"troubleSeconds\":0.000,\"trouble\":\"\"");
        }
    }
}
