package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.delayed;
import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.operations.Pause;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Nested
    @Tag("R36")
    class Pauses {
        @Test
        void are_known_before_anything_is_sent() {
            engine.answer(Command.ReadPauses.class, new Event.ReaderFailed("connection refused"));
            engine.acquire(List.of(new LaneStore.Lease(1, 1, false, 0, 0)));
            engine.tick(Duration.ofMillis(200));
            engine.answer(Command.ReadDue.class, new Event.RowsRead(List.of()));
            engine.read(row(1, 1, "t", "k"));
            assertThat(engine.sent()).isEmpty();
            engine.pausesAre(List.of(new Pause(Pause.Target.topic("t"), Instant.EPOCH, "operator", "why")));
            assertThat(engine.sent()).isEmpty();
            assertThat(engine.wants(Command.Reserve.class)).isFalse();
            engine.pausesAre(List.of());
            engine.read(row(1, 1, "t", "k"));
            engine.reserve();
            engine.assertSent("a:1");
        }
    }

    @Nested
    @Tag("R36")
    class A_pause {
        @ParameterizedTest
        @MethodSource("dev.postroom.engine.EngineTest#pauses")
        void keeps_what_it_means_and_nothing_else(Pause.Target target, List<String> sent) {
            engine.owning(List.of(1));
            engine.pausesAre(List.of(new Pause(target, Instant.EPOCH, "operator", "why")));
            engine.read(row(1, 1, "t", "k"), row(1, 2, "u", "k"), row(1, 3, "b", "k"));
            engine.reserve();
            engine.assertSent(sent.toArray(String[]::new));
            engine.pausesAre(List.of());
            engine.read(row(1, 1, "t", "k"), row(1, 2, "u", "k"), row(1, 3, "b", "k"));
            engine.reserve();
            List<String> rest = new ArrayList<>(List.of("a:1", "a:2", "b:3"));
            rest.removeAll(sent);
            engine.assertSent(rest.toArray(String[]::new));
        }
    }

    static java.util.stream.Stream<Arguments> pauses() {
        return java.util.stream.Stream.of(
                Arguments.of(Pause.Target.EVERYTHING, List.of()),
                Arguments.of(Pause.Target.topic("t"), List.of("a:2", "b:3")),
                Arguments.of(Pause.Target.destination("a"), List.of("b:3")));
    }

    @Nested
    @Tag("R60")
    class A_number_that_a_foreign_writer_gave {
        @ParameterizedTest
        @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1})
        void keeps_no_other_message_from_being_sent(long highest) {
            engine.owning(List.of(1, 2));
            engine.read(row(1, highest, "t", "k"), row(2, 7, "t", "x"));
            engine.reserve();
            engine.assertSent("a:7", "a:" + highest);
            engine.read(row(2, 8, "t", "y"));
            engine.assertSent("a:8");
        }
    }

    @Nested
    @Tag("I5")
    class Trust {
        private void renewed(Duration answerTakes) {
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.tick(answerTakes);
            engine.answer(
                    Command.Beat.class,
                    new Event.Beaten(List.of(new LaneStore.Lease(1, 1, false, 0, 0)), List.of(), List.of()));
        }

        @Test
        void counts_from_before_the_renewal_was_sent_and_ends_a_sixth_before_the_lease() {
            engine.owning(List.of(1));
            engine.read(row(1, 1, "t", null));
            engine.reserve();
            engine.assertSent("a:1");
            long sent = engine.nanos() + HandFedEngine.LEASE.dividedBy(3).toNanos();
            renewed(Duration.ofSeconds(4));
            engine.read(row(1, 2, "t", null));
            long lease = HandFedEngine.LEASE.toNanos();
            assertThat(engine.take(Command.Send.class).delivery().deadlineNanos())
                    .isEqualTo(sent + lease - lease / 6);
        }

        @Test
        void that_has_ended_keeps_everything_until_the_next_renewal() {
            engine.owning(List.of(1));
            engine.read(row(1, 1, "t", null));
            engine.tick(HandFedEngine.LEASE);
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
            renewed(Duration.ZERO);
            engine.assertSent("a:1");
        }
    }

    @Nested
    @Tag("R35")
    class A_lane_that_is_given_back {
        private final StoredMessage alone = row(63, 1, "t", "x");
        private final StoredMessage first = row(63, 2, "t", "y");
        private final StoredMessage second = row(63, 3, "t", "y");

        @Test
        void sends_nothing_more_and_goes_with_the_last_outcome() {
            engine.owning(HandFedEngine.ONE_MORE_THAN_HALF);
            engine.read(alone, first, second);
            engine.reserve();
            engine.assertSent("a:1", "a:2");
            engine.reply(alone, "a", Outcome.confirmed());
            MessageSettler.Batch slow = engine.settling();
            engine.anotherRelayComes();
            engine.reply(first, "a", Outcome.confirmed());
            assertThat(engine.sent()).isEmpty();
            engine.settled(slow);

            MessageSettler.Batch last = engine.settling();
            assertThat(last.successes()).extracting(MessageSettler.Success::key).containsExactly(first.key());
            assertThat(last.releases()).isEmpty();
            engine.settled(last);
            assertThat(engine.settling().releases())
                    .extracting(LaneStore.Lease::lane)
                    .containsExactly(63);
            assertThat(engine.sent()).isEmpty();
        }
    }

    @Nested
    class A_failure {
        @Test
        @Tag("R29")
        void says_what_other_destinations_confirmed_in_the_same_attempt() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "b", Outcome.confirmed());
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.confirmed()).isEqualTo(0b10);
            assertThat(failure.attempts()).isEqualTo(1);
            assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        }

        @Test
        @Tag("R25")
        void that_is_permanent_decides_among_several() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "not yet"));
            engine.reply(row, "b", Outcome.failed(FailureReason.VALIDATION_FAILURE, "never"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.cause())
                    .isEqualTo(new MessageSettler.Cause(FailureReason.VALIDATION_FAILURE, "never", "b"));
            assertThat(failure.retryAfter()).isNull();
        }

        @Test
        @Tag("R25")
        void that_is_permanent_in_the_last_attempt_keeps_its_reason() {
            engine.owning(List.of(1));
            StoredMessage row =
                    row(1, 1, "t", null, new StoredMessage.Progress(RowState.READY, 2, 0, 0, false, null, 4));
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.VALIDATION_FAILURE, "never"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.cause().reason()).isEqualTo(FailureReason.VALIDATION_FAILURE);
            assertThat(failure.cause().error()).isEqualTo("never");
            assertThat(failure.attempts()).isEqualTo(3);
            assertThat(failure.version()).isEqualTo(4);
        }

        @Test
        @Tag("R24")
        void that_is_the_last_is_poison_and_names_what_it_was() {
            engine.owning(List.of(1));
            StoredMessage row =
                    row(1, 1, "t", null, new StoredMessage.Progress(RowState.READY, 2, 0, 0, false, null, 0));
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.DEPENDENCY_FAILURE, "no stock"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.cause())
                    .isEqualTo(new MessageSettler.Cause(FailureReason.POISON, "DEPENDENCY_FAILURE: no stock", "a"));
            assertThat(failure.retryAfter()).isNull();
        }
    }

    @Nested
    class What_others_settled {
        @Test
        @Tag("R52")
        void is_told_as_duplicates_and_as_overtaken() {
            engine.owning(List.of(1));
            StoredMessage good = row(1, 1, "t", null);
            StoredMessage bad = row(1, 2, "t", null);
            engine.read(good, bad);
            engine.reserve();
            engine.assertSent("a:1", "a:2");
            engine.reply(good, "a", Outcome.confirmed());
            engine.reply(bad, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            engine.settling();
            engine.tell(new Event.BatchSettled(
                    new MessageSettler.Settled(0, Set.of(bad.key().id()))));
            assertThat(engine.heard).containsExactly("duplicates 1", "overtaken 1");
        }

        @Test
        @Tag("I6")
        void success_of_a_lane_that_was_lost_is_recorded_once() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
            engine.reply(row, "a", Outcome.confirmed());
            MessageSettler.Batch batch = engine.settling();
            assertThat(batch.successes()).containsExactly(new MessageSettler.Success(row.key(), 1, 1));
            engine.settled(batch);
            engine.tick(Duration.ofSeconds(1));
            assertThat(engine.wants(Command.Settle.class)).as("recorded again").isFalse();
        }

        @Test
        @Tag("R20")
        void failure_of_a_lane_that_was_lost_is_no_success() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            engine.tick(Duration.ofSeconds(1));
            assertThat(engine.wants(Command.Settle.class)).isFalse();
        }

        @Test
        @Tag("R29")
        void failure_that_came_too_late_keeps_what_another_destination_confirmed() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "b", Outcome.confirmed());
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            engine.settled(engine.settling(), row.key().id());
            assertThat(engine.settling().successes())
                    .containsExactly(new MessageSettler.Success(row.key(), 0b10, 0b11));
        }
    }

    @Nested
    @Tag("R26")
    class An_answer {
        @Test
        void about_the_message_opens_a_held_destination() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.unavailable("connection refused"));
            engine.tick(Duration.ofSeconds(5));
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            assertThat(engine.heard).containsExactly("held a", "resumed a");
        }

        @Test
        void that_confirms_a_probe_lets_all_others_go() {
            engine.owning(List.of(1));
            StoredMessage probe = row(1, 1, "t", "k");
            engine.read(probe, row(1, 2, "t", "l"), row(1, 3, "t", "m"));
            engine.reserve();
            engine.assertSent("a:1", "a:2", "a:3");
            for (long seq = 1; seq <= 3; seq++) {
                engine.reply(row(1, seq, "t", null), "a", Outcome.unavailable("connection refused"));
            }
            engine.tick(Duration.ofMillis(4_999));
            assertThat(engine.sent()).isEmpty();
            engine.tick(Duration.ofMillis(1));
            List<String> probes = engine.sent();
            assertThat(probes).hasSize(1);
            engine.reply(row(1, Long.parseLong(probes.get(0).substring(2)), "t", null), "a", Outcome.confirmed());
            assertThat(engine.sent()).hasSize(2).doesNotContainAnyElementsOf(probes);
            assertThat(engine.heard).containsExactly("held a", "resumed a");
        }

        @Test
        @Tag("R63")
        void that_stays_down_is_tried_more_and_more_seldom() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.unavailable("connection refused"));
            for (int seconds : new int[] {5, 9, 18, 27, 27}) { // from the second on, spread below 10, 20 and 30
                assertThat(engine.secondsUntilSent()).isEqualTo(seconds);
                engine.reply(row, "a", Outcome.unavailable("connection refused"));
            }
            assertThat(engine.secondsUntilSent()).isEqualTo(27);
            engine.reply(row, "a", Outcome.confirmed());
            engine.read(row(1, 2, "t", "k"));
            engine.assertSent("a:2");
            engine.reply(row(1, 2, "t", "k"), "a", Outcome.unavailable("down again"));
            assertThat(engine.secondsUntilSent()).as("after a success").isEqualTo(5);
        }

        @Test
        @Tag("R63")
        void that_stays_down_is_not_tried_by_all_relays_at_the_same_intervals() {
            HandFedEngine other = new HandFedEngine(settings -> {
                settings.random = 0;
                return settings;
            });
            other.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            other.read(row);
            other.reserve();
            other.assertSent("a:1");
            other.reply(row, "a", Outcome.unavailable("connection refused"));
            for (int seconds : new int[] {5, 8, 16, 24, 24, 24}) {
                assertThat(other.secondsUntilSent()).isEqualTo(seconds);
                other.reply(row, "a", Outcome.unavailable("connection refused"));
            }
        }

        @Test
        @Tag("R60")
        void that_asks_for_a_rest_without_end_holds_the_destination_and_harms_nobody() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", null);
            engine.read(row, row(1, 2, "b", null));
            engine.reserve();
            engine.assertSent("a:1", "b:2");
            engine.reply(
                    row,
                    "a",
                    new Outcome.Failed(
                            FailureReason.TRANSPORT_UNAVAILABLE,
                            "never again",
                            Outcome.Scope.DESTINATION,
                            Duration.ofSeconds(Long.MAX_VALUE)));
            assertThat(engine.heard).containsExactly("held a");
            assertThat(engine.nextTurn()).isGreaterThan(engine.nanos());
            engine.read(row(1, 3, "b", null));
            engine.assertSent("b:3");
        }

        @Test
        @Tag("R60")
        @SuppressWarnings("NullAway") // transports of others hand on what an exception says, which may be nothing
        void without_a_text_is_a_failure_like_others() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", null);
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, null));
            assertThat(engine.settling().failures())
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.cause().error()).isNotEmpty());
        }

        @Test
        void about_the_topic_holds_that_topic_and_no_other() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.topicUnavailable("no such queue"));
            engine.read(row(1, 2, "t", "other"), row(1, 3, "u", "k"));
            engine.assertSent("a:3");
            assertThat(engine.heard).containsExactly("held a t");
        }

        @Test
        void that_it_never_left_blames_nobody() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.notSent("too late"));
            engine.assertSent("a:1");
            assertThat(engine.heard).isEmpty();
            assertThat(engine.wants(Command.Settle.class)).isFalse();
        }
    }

    @Nested
    @Tag("R30")
    class A_message_that_was_on_its_way_when_a_relay_died {
        private StoredMessage crashed(int times) {
            engine.answer(Command.ReadPauses.class, new Event.PausesRead(List.of()));
            engine.acquire(List.of(new LaneStore.Lease(1, 7, true, 5, 9)));
            StoredMessage row =
                    row(1, 5, "t", "k", new StoredMessage.Progress(RowState.READY, 1, times, 0, false, null, 2));
            engine.read(row);
            engine.reserve();
            return row;
        }

        @Test
        void is_counted_before_it_is_sent() {
            StoredMessage row = crashed(2);
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.sent()).isEmpty();
            assertThat(engine.take(Command.Suspect.class).suspects())
                    .containsExactly(new MessageSettler.Suspect(row.key(), 2, 7, 3));
            engine.tell(new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5");
        }

        @Test
        void is_dead_at_the_limit_without_another_try_and_spends_no_attempt() {
            StoredMessage row = crashed(3);
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(engine.sent()).isEmpty();
            assertThat(failure.key()).isEqualTo(row.key());
            assertThat(failure.attempts()).isEqualTo(1);
            assertThat(failure.retryAfter()).isNull();
            assertThat(failure.cause().reason()).isEqualTo(FailureReason.POISON);
            assertThat(failure.cause().error()).contains("3 times");
        }

        @Test
        void has_its_count_back_when_it_was_tried_and_did_no_harm() {
            StoredMessage row = crashed(1);
            engine.tick(Duration.ofMillis(5));
            engine.answer(
                    Command.Suspect.class, new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5");
            engine.reply(row, "a", Outcome.unavailable("connection refused"));
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.take(Command.Suspect.class).suspects())
                    .containsExactly(new MessageSettler.Suspect(row.key(), 3, 7, 1));
        }
    }

    @Nested
    class A_row {
        @Test
        @Tag("R37")
        void that_is_replayed_goes_to_its_destination_only() {
            engine.owning(List.of(1));
            engine.read(row(1, 1, "both", "k", new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, "b", 0)));
            engine.reserve();
            engine.assertSent("b:1");
        }

        @Test
        void that_can_never_be_sent_is_dead_at_once() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(new StoredMessage(
                    row.key(),
                    row.stream(),
                    row.content(),
                    row.progress(),
                    row.createdAt(),
                    null,
                    row.hold(),
                    "the headers are no JSON"));
            assertThat(engine.sent()).isEmpty();
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.retryAfter()).isNull();
            assertThat(failure.cause())
                    .isEqualTo(new MessageSettler.Cause(FailureReason.SERIALIZATION, "the headers are no JSON", null));
        }

        @Test
        @Tag("R10")
        void is_never_asked_for_with_more_payload_or_headers_than_allowed() {
            engine.owning(List.of(1));
            engine.tick(Duration.ofMillis(1));
            List<RowLimits> asked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                if (engine.wants(Command.Read.class)) {
                    asked.add(engine.take(Command.Read.class).request().limits());
                    engine.tell(new Event.ReaderFailed("again"));
                } else if (engine.wants(Command.ReadDue.class)) {
                    asked.add(engine.take(Command.ReadDue.class).request().limits());
                    engine.tell(new Event.RowsRead(List.of()));
                }
                engine.tick(Duration.ofMillis(200));
            }
            assertThat(asked).hasSizeGreaterThan(2).containsOnly(new RowLimits(1_000, 10, 500));
        }
    }

    @Nested
    class A_delayed_row {
        @Test
        @Tag("R22")
        void that_is_due_waits_for_what_committed_late_before_it_in_its_stream() {
            engine.owning(List.of(1));
            engine.read(row(1, 9, "u", null));
            engine.reserve();
            engine.assertSent("a:9");
            engine.due(delayed(8));
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
            StoredMessage late = row(1, 7, "t", "k");
            engine.read(late);
            engine.reserve();
            engine.assertSent("a:7");
            engine.reply(late, "a", Outcome.confirmed());
            engine.assertSent("a:8");
        }

        @Test
        @Tag("R31")
        void is_found_also_after_the_databases_clock_was_set_back() {
            engine.owning(List.of(1));
            engine.read(row(1, 9, "u", null));
            engine.due(delayed(8));
            assertThat(engine.due()).extracting(MessageReader.DuePosition::seq).containsExactly(8L);
            engine.tick(Duration.ofSeconds(10));
            assertThat(engine.due())
                    .as("from the beginning")
                    .containsExactly(new MessageReader.DuePosition(1, null, 0));
        }
    }

    @Nested
    class Settling_that_failed {
        @Test
        @Tag("R23")
        void is_tried_again_as_it_was_and_not_at_once() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", null);
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.confirmed());
            MessageSettler.Batch batch = engine.settling();
            engine.tell(new Event.SettlerFailed("connection refused"));
            engine.tick(Duration.ofMillis(19));
            assertThat(engine.wants(Command.Settle.class)).isFalse();
            engine.tick(Duration.ofMillis(1));
            assertThat(engine.take(Command.Settle.class).batch()).isEqualTo(batch);
            engine.tell(new Event.SettlerFailed("connection refused"));
            engine.tick(Duration.ofMillis(39));
            assertThat(engine.wants(Command.Settle.class)).isFalse();
            engine.tick(Duration.ofMillis(1));
            assertThat(engine.take(Command.Settle.class).batch()).isEqualTo(batch);
        }
    }

    @Nested
    @Tag("I9")
    class Memory_is_bounded {
        @Test
        void by_stream() {
            HandFedEngine large = new HandFedEngine(settings -> {
                settings.maxInFlight = 1_000;
                return settings;
            });
            large.owning(List.of(1));
            large.read(rows(80, "t", seq -> "k"));
            assertThat(large.inMemory()).isEqualTo(64);
        }

        @Test
        void by_destination_so_that_others_have_room() {
            engine.owning(List.of(1));
            engine.read(rows(90, "t", seq -> null));
            assertThat(engine.inMemory()).isEqualTo(50);
            engine.read(row(1, 91, "b", null));
            assertThat(engine.inMemory()).isEqualTo(51);
        }

        @Test
        void by_destinations_that_are_down() {
            engine.owning(List.of(1));
            StoredMessage[] rows = rows(40, "t", seq -> "k" + seq);
            engine.read(rows);
            engine.reserve();
            assertThat(engine.sent()).hasSize(40);
            for (StoredMessage row : rows) {
                engine.reply(row, "a", Outcome.unavailable("connection refused"));
            }
            assertThat(engine.inMemory()).as("a few to probe with").isEqualTo(8);
        }

        @Test
        void by_topics_that_are_refused() {
            HandFedEngine large = new HandFedEngine(settings -> {
                settings.maxInFlight = 10_000;
                return settings;
            });
            large.owning(List.of(1));
            StoredMessage[] rows = LongStream.rangeClosed(1, 1_001)
                    .mapToObj(seq -> row(1, seq, "t" + seq, null))
                    .toArray(StoredMessage[]::new);
            large.read(rows);
            large.reserve();
            assertThat(large.sent()).hasSize(1_001);
            large.tell(Arrays.stream(rows)
                    .map(row -> new Event.Replied(row.key(), "a", Outcome.topicUnavailable("unknown")))
                    .toList());
            assertThat(large.heard).hasSize(1_001).endsWith("held a");
            assertThat(large.heard.subList(0, 1_000)).noneMatch("held a"::equals);
        }

        private StoredMessage[] rows(int count, String topic, LongFunction<@Nullable String> key) {
            return LongStream.rangeClosed(1, count)
                    .mapToObj(seq -> row(1, seq, topic, key.apply(seq)))
                    .toArray(StoredMessage[]::new);
        }

        @Test
        void by_messages() {
            HandFedEngine small = new HandFedEngine(settings -> {
                settings.maxInFlight = 2;
                return settings.onlyOneDestination();
            });
            small.owning(List.of(1));
            small.read(rows(4, "t", seq -> null));
            assertThat(small.inMemory()).isEqualTo(2);
        }

        @Test
        void by_bytes() {
            HandFedEngine small = new HandFedEngine(settings -> {
                settings.maxInFlightBytes = 700; // a message of 100 bytes counts as 300
                return settings;
            });
            small.owning(List.of(1));
            small.read(row(1, 1, "t", null), row(1, 2, "t", null), row(1, 3, "t", null), row(1, 4, "t", null));
            assertThat(small.inMemory()).isEqualTo(3);
        }
    }

    @Test
    @Tag("R34")
    void what_is_not_to_be_kept_is_not_archived() {
        HandFedEngine forgetful = new HandFedEngine(settings -> {
            settings.archive = false;
            return settings;
        });
        forgetful.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", null);
        forgetful.read(row);
        forgetful.reserve();
        forgetful.assertSent("a:1");
        forgetful.reply(row, "a", Outcome.confirmed());
        assertThat(forgetful.settling().archive()).isFalse();
    }
}
