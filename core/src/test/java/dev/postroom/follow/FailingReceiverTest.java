package dev.postroom.follow;

import static dev.postroom.follow.LaneFixture.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A destination that fails everything is away, whatever it says about each message. The fixture's are held after four failures in a row;
 * topics are the messages' types.
 */
@Tag("R26")
class FailingReceiverTest {
    private final LaneFixture lane = new LaneFixture();

    private void failOf(long... seqs) {
        for (long seq : seqs) {
            lane.send(seq, lane.d());
            lane.fail(seq, lane.d());
        }
    }

    private int attempts(long seq) {
        return lane.settled(seq).attempts();
    }

    @Nested
    class Is_held {
        @Test
        void when_so_many_messages_of_several_types_and_streams_have_failed_one_after_the_other() {
            lane.read(
                    50, row(10, "K", "a"), row(20, "L", "b"), row(30, "M", "a"), row(40, "N", "b"), row(50, "O", "a"));
            failOf(10, 20, 30);
            assertThat(lane.d().isHeld()).isFalse();
            failOf(40);
            assertThat(lane.d().isHeld()).isTrue();
            assertThat(lane.d().breaker().why()).contains("4 failures in a row", "no");
        }

        @Test
        void for_one_type_when_others_get_through() {
            lane.read(
                    60, row(10, "K", "a"), row(20, "L", "a"), row(30, "M", "a"), row(40, "N", "a"), row(50, "O", "b"));
            failOf(10, 20, 30);
            lane.deliver(50, lane.d());
            failOf(40);

            assertThat(lane.d().isHeld()).isFalse();
            assertThat(lane.d().closedGates()).singleElement().satisfies(gate -> {
                assertThat(gate.kind()).isEqualTo(Gate.Kind.TYPE);
                assertThat(gate.name()).isEqualTo("a");
            });
        }

        @Test
        void not_when_the_failures_are_of_fewer_than_three_streams() {
            lane.read(60, row(10, null, "a"), row(20, "K", "skip"), row(30, "K", "skip"), row(40, "K", "skip"));
            failOf(10, 20, 30, 40);
            assertThat(lane.d().isHeld()).isFalse();
            assertThat(lane.d().closedGates()).isEmpty();
        }

        @Test
        void not_when_something_was_confirmed_in_between() {
            lane.read(
                    50, row(10, "K", "a"), row(20, "L", "b"), row(30, "M", "a"), row(40, "N", "b"), row(50, "O", "a"));
            failOf(10, 20, 30);
            lane.deliver(50, lane.d());
            failOf(40);
            assertThat(lane.d().isHeld()).isFalse();
        }

        @Test
        void by_permanent_failures_too_and_those_that_led_to_it_stay_dead() {
            lane.read(40, row(10, "K", "a"), row(20, "L", "b"), row(30, "M", "a"), row(40, "N", "b"));
            for (long seq : new long[] {10, 20, 30, 40}) {
                lane.send(seq, lane.d());
                lane.answers(seq, lane.d(), Outcome.failed(FailureReason.VALIDATION_FAILURE, "422"));
            }
            assertThat(lane.d().isHeld()).isTrue();
            assertThat(lane.settled(40).isSpared()).isFalse();
        }

        @Test
        void not_earlier_for_a_permanent_failure_although_no_try_is_left() {
            lane.read(30, row(10, "K", "a"), row(20, "L", "b"), row(30, "M", "a"));
            lane.lastTry = true;
            for (long seq : new long[] {10, 20, 30}) {
                lane.send(seq, lane.d());
                lane.answers(seq, lane.d(), Outcome.failed(FailureReason.VALIDATION_FAILURE, "422"));
            }
            assertThat(lane.d().isHeld()).isFalse();
            assertThat(lane.settled(30).isSpared()).isFalse();
        }

        @Test
        void whole_when_a_ninth_of_its_types_fails() {
            for (int type = 1; type <= 8; type++) {
                failsAllOf("type" + type, 100L * type);
            }
            assertThat(lane.d().closedGates()).hasSize(8);
            assertThat(lane.d().isHeld()).isFalse();

            failsAllOf("type9", 900);
            assertThat(lane.d().isHeld()).isTrue();
            assertThat(lane.d().closedGates()).hasSize(8);
        }

        @Test
        void for_one_type_however_many_topics_are_held() {
            for (int topic = 1; topic <= 8; topic++) {
                lane.read(topic, row(topic, null, "topic" + topic));
                lane.send(topic, lane.d());
                lane.answers(topic, lane.d(), Outcome.topicUnavailable("404"));
            }
            failsAllOf("a", 100);
            assertThat(lane.d().isHeld()).isFalse();
            assertThat(lane.d().closedGates()).hasSize(9);
        }

        /** Others get through meanwhile. */
        private void failsAllOf(String type, long from) {
            lane.read(
                    from + 5,
                    row(from, null, type),
                    row(from + 1, null, type),
                    row(from + 2, null, type),
                    row(from + 3, null, type),
                    row(from + 4, null, "fine"),
                    row(from + 5, null, "fine"));
            lane.deliver(from + 4, lane.d());
            failOf(from, from + 1, from + 2);
            lane.deliver(from + 5, lane.d());
            failOf(from + 3);
        }

        @Test
        void before_a_message_dies_of_attempts_that_others_failed_beside() {
            lane.read(30, row(10, "K", "a"), row(20, "L", "b"), row(30, "M", "a"));
            failOf(10, 20);
            lane.lastTry = true;
            failOf(30);

            assertThat(lane.d().isHeld()).isTrue();
            assertThat(attempts(30)).as("it is not counted").isZero();
            assertThat(attempts(20)).isEqualTo(1);
        }
    }

    @Nested
    class While_it_is_held {
        private void hold() {
            lane.read(
                    90,
                    row(10, "K", "a"),
                    row(20, "L", "b"),
                    row(30, "M", "a"),
                    row(40, "N", "b"),
                    row(50, "O", "a"),
                    row(60, "P", "b"),
                    row(70, "Q", "a"));
            lane.send(70, lane.d());
            failOf(10, 20, 30, 40);
        }

        @Test
        void nothing_that_is_tried_spends_an_attempt_and_what_was_tried_makes_room() {
            hold();
            failOf(50);
            assertThat(attempts(50)).isZero();
            assertThat(lane.has(lane.d())).doesNotContain(50L);
            assertThat(lane.d().isHeld()).isTrue();
        }

        @Test
        void what_was_on_the_wire_comes_back_and_has_spent_nothing() {
            hold();
            lane.fail(70, lane.d());
            assertThat(lane.delivery(70, lane.d()).isQueued()).isTrue();
        }

        @Test
        void an_answer_does_not_end_it_and_a_success_does() {
            hold();
            lane.send(50, lane.d());
            lane.answers(50, lane.d(), Outcome.topicUnavailable("404"));
            assertThat(lane.d().isHeld()).isTrue();

            lane.deliver(60, lane.d());
            assertThat(lane.d().isHeld()).isFalse();
        }

        @Test
        void half_of_a_round_is_left_to_those_that_were_tried_before() {
            lane.read(
                    50, row(10, "K", "a"), row(20, "L", "a"), row(30, "M", "a"), row(40, "N", "a"), row(50, "O", "b"));
            failOf(10, 20, 30);
            lane.deliver(50, lane.d());
            failOf(40);
            for (long seq : new long[] {10, 20, 30, 40}) {
                lane.settle(seq);
            }
            assertThat(lane.d().closedGates()).hasSize(1);

            lane.read(
                    100,
                    row(60, "P", "a"),
                    row(70, "Q", "a"),
                    row(80, "R", "a"),
                    row(90, "S", "a"),
                    row(95, "T", "a"),
                    row(100, "U", "a"));
            assertThat(lane.has(lane.d())).containsExactly(60L, 70L, 80L, 90L);

            lane.readStream(lane.atD(), row(10, "K", "a").waiting(0));
            assertThat(lane.has(lane.d())).containsExactly(10L, 60L, 70L, 80L, 90L);
        }

        @Test
        void an_operator_ends_it_and_what_failed_before_counts_no_more() {
            hold();
            lane.traffic.goOn(lane.d());
            assertThat(lane.d().isFlowing()).isTrue();
            failOf(50, 60);
            assertThat(lane.d().isHeld()).isFalse();
        }
    }

    @Nested
    class While_it_is_tried {
        @Test
        void the_next_round_waits_for_another_pause() {
            lane.read(
                    60, row(10, "K", "a"), row(20, "L", "b"), row(30, "M", "a"), row(40, "N", "b"), row(50, "O", "a"));
            failOf(10, 20, 30, 40);
            long first = lane.d().breaker().nextProbe();
            failOf(50);
            assertThat(lane.d().breaker().nextProbe()).isGreaterThan(first);
        }

        @Test
        void a_timeout_that_counts_for_its_message_does_not_open_it() {
            lane.read(30, row(10, "K", "a"), row(20, "L", "a"), row(30, "M", "a"));
            lane.deliver(10, lane.d());
            lane.send(20, lane.d());
            lane.answers(20, lane.d(), Outcome.unavailable("connection refused"));
            lane.send(20, lane.d());
            lane.answers(20, lane.d(), Outcome.failed(FailureReason.TIMEOUT, "no answer"));
            assertThat(lane.delivery(20, lane.d()).isFailing()).isTrue();
            assertThat(lane.d().isHeld()).isTrue();
        }
    }

    @Nested
    class While_a_type_is_held {
        private Gate hold() {
            lane.read(
                    80,
                    row(10, "K", "a"),
                    row(20, "L", "a"),
                    row(30, "M", "a"),
                    row(40, "N", "a"),
                    row(50, "O", "a"),
                    row(60, "P", "a"),
                    row(70, "Q", "b"),
                    row(80, "R", "b"));
            failOf(10, 20, 30);
            lane.deliver(70, lane.d());
            failOf(40);
            return lane.d().closedGates().get(0);
        }

        @Test
        void what_is_tried_of_it_spends_no_attempt_and_the_next_round_waits() {
            Gate gate = hold();
            long first = gate.breaker().nextProbe();
            failOf(50);
            assertThat(attempts(50)).isZero();
            assertThat(gate.breaker().nextProbe()).isGreaterThan(first);
        }

        @Test
        void a_success_ends_it() {
            hold();
            lane.deliver(50, lane.d());
            assertThat(lane.d().closedGates()).isEmpty();
        }

        @Test
        void an_operator_ends_it() {
            hold();
            lane.traffic.goOn(lane.d());
            assertThat(lane.d().closedGates()).isEmpty();
        }

        @Test
        void the_destination_is_as_soon_as_another_type_begins_to_lose_messages() {
            hold();
            lane.deliver(80, lane.d());
            failOf(50, 60);
            lane.page().range(80, 90, row(90, "S", "b")).comes();
            lane.lastTry = true;
            failOf(90);
            assertThat(lane.d().isHeld()).isTrue();
        }

        @Test
        void a_round_is_kept_to_be_tried_outside_the_share() {
            LaneFixture lane = new LaneFixture(new Destination.Share(4, 1_000_000, 4, Integer.MAX_VALUE, 2, 2));
            lane.read(40, row(10, "K", "a"), row(20, "L", "a"), row(30, "M", "a"), row(40, "N", "a"));
            for (long seq : new long[] {10, 20, 30, 40}) {
                lane.send(seq, lane.d());
                lane.fail(seq, lane.d());
                lane.settle(seq);
            }
            lane.page()
                    .range(
                            40,
                            110,
                            row(50, "O", "a"),
                            row(60, "P", "a"),
                            row(70, "Q", "skip"),
                            row(80, "R", "skip"),
                            row(90, "S", "skip"),
                            row(100, "T", "skip"),
                            row(110, "U", "skip"))
                    .comes();
            assertThat(lane.has(lane.d())).containsExactly(50L, 60L, 70L, 80L, 90L, 100L);
        }
    }

    @Nested
    class An_operator_who_says_that_it_is_well {
        @Test
        void has_a_destination_that_is_down_tried_at_once() {
            lane.read(10, row(10, "K", "a"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.unavailable("connection refused"));
            lane.traffic.goOn(lane.d());
            assertThat(lane.d().isHeld()).isTrue();
            assertThat(lane.d().mayTry(lane.d().breaker().nextProbe() - 1)).isTrue();
        }

        @Test
        void has_a_topic_that_is_missing_tried_at_once() {
            lane.read(10, row(10, "K", "a"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.topicUnavailable("404"));
            Gate gate = lane.d().closedGates().get(0);
            lane.traffic.goOn(lane.d());
            assertThat(lane.d().closedGates()).containsExactly(gate);
            assertThat(gate.breaker().mayProbe(gate.breaker().nextProbe() - 1)).isTrue();
        }
    }

    @Nested
    class A_message_that_fails_there_and_elsewhere {
        private Result failsAtBoth(Destination failing, Outcome there, Destination other) {
            lane.read(
                    50, row(10, "K", "b"), row(20, "L", "b"), row(30, "M", "b"), row(40, "N", "b"), row(50, "O", "b"));
            for (long seq : new long[] {10, 20, 30, 40}) {
                lane.send(seq, failing);
                lane.fail(seq, failing);
            }
            lane.send(50, failing);
            lane.answers(50, failing, there);
            lane.send(50, other);
            lane.fail(50, other);
            return lane.settled(50);
        }

        @Test
        void has_failed_where_others_get_through() {
            Result result = failsAtBoth(lane.d(), Outcome.failed(FailureReason.UNKNOWN, "500"), lane.e());
            assertThat(result.failedAt()).isEqualTo("e");
            assertThat(result.isSpared()).isFalse();
            assertThat(result.attempts()).isEqualTo(1);
        }

        @Test
        void does_not_die_of_what_the_failing_one_says() {
            Result result = failsAtBoth(lane.e(), Outcome.failed(FailureReason.VALIDATION_FAILURE, "422"), lane.d());
            assertThat(result.failedAt()).isEqualTo("d");
            assertThat(result.decisive().failure().reason()).isEqualTo(FailureReason.HANDLER_EXCEPTION);
        }

        @Test
        void has_failed_where_others_get_through_whichever_it_is() {
            Result result = failsAtBoth(lane.e(), Outcome.failed(FailureReason.UNKNOWN, "500"), lane.d());
            assertThat(result.failedAt()).isEqualTo("d");
        }

        @Test
        void does_not_die_of_what_the_failing_one_says_whichever_it_is() {
            Result result = failsAtBoth(lane.d(), Outcome.failed(FailureReason.VALIDATION_FAILURE, "422"), lane.e());
            assertThat(result.failedAt()).isEqualTo("e");
        }
    }

    @Test
    void several_messages_are_tried_in_a_round_and_then_a_pause_follows() {
        Breaker breaker = new Breaker(java.time.Duration.ofSeconds(1), () -> 0);
        long second = 1_000_000_000L;
        breaker.openForFailing((Outcome.Failed) Outcome.failed(FailureReason.UNKNOWN, "500"), "everything", 0);
        assertThat(breaker.mayProbe(0)).isFalse();
        for (int tried = 0; tried < 8; tried++) {
            assertThat(breaker.mayProbe(second)).isTrue();
            breaker.probeSent();
        }
        for (int tried = 0; tried < 8; tried++) {
            breaker.open((Outcome.Failed) Outcome.failed(FailureReason.UNKNOWN, "500"), true, second);
        }
        assertThat(breaker.mayProbe(second)).isFalse();
        assertThat(breaker.mayProbe(2 * second))
                .as("eight failures lengthen it once")
                .isFalse();
        assertThat(breaker.mayProbe(3 * second)).isTrue();
        assertThat(breaker.why()).isEqualTo("everything");
    }
}
