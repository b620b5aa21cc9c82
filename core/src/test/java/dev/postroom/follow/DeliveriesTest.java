package dev.postroom.follow;

import static dev.postroom.follow.LaneFixture.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Outcome;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of messages in memory: their order, failures, destinations that are held, and what is recorded. */
@Tag("R22")
class DeliveriesTest {
    private LaneFixture lane = new LaneFixture();

    @Nested
    class Order {
        @Test
        void a_message_goes_when_those_before_it_in_its_stream_are_confirmed() {
            lane.read(30, row(10, "K", "a"), row(20, "K", "a"), row(30, "L", "a"));
            assertThat(lane.sendable(lane.d())).containsExactly(10L, 30L);

            lane.send(10, lane.d());
            assertThat(lane.sendable(lane.d())).containsExactly(30L);
            lane.confirm(10, lane.d());
            assertThat(lane.sendable(lane.d())).containsExactly(20L, 30L);
        }

        @Test
        void a_late_message_goes_before_later_ones_that_were_not_sent() {
            lane.read(20, row(20, "K", "a"));
            lane.page().late(row(10, "K", "a")).comes();

            assertThat(lane.sendable(lane.d())).containsExactly(10L);
        }

        @Test
        void neighbours_of_one_topic_of_the_broker_are_pipelined_and_no_others() {
            lane = new LaneFixture(
                    new Destination.Share(9, 1_000_000, 9, Integer.MAX_VALUE, 2, 2),
                    100,
                    (ahead, topic) -> ahead.name().equals(topic.name()));
            lane.read(40, row(10, "K", "a"), row(20, "K", "a"), row(30, "K", "b"), row(40, "K", "a"));
            lane.send(10, lane.d());
            assertThat(lane.sendable(lane.d())).containsExactly(20L);
            lane.send(20, lane.d());
            assertThat(lane.sendable(lane.d())).isEmpty();

            lane.confirm(10, lane.d());
            assertThat(lane.sendable(lane.d())).isEmpty();
            lane.confirm(20, lane.d());
            assertThat(lane.sendable(lane.d())).containsExactly(30L);
        }

        @Test
        void one_that_was_pipelined_behind_a_failed_one_and_comes_back_is_left_with_its_stream() {
            lane = new LaneFixture(
                    new Destination.Share(9, 1_000_000, 9, Integer.MAX_VALUE, 2, 2), 100, (ahead, topic) -> true);
            lane.read(30, row(10, "K", "a"), row(20, "K", "a"), row(30, "K", "a"));
            lane.send(10, lane.d());
            lane.send(20, lane.d());
            lane.fail(10, lane.d());
            lane.settle(10);
            lane.answers(20, lane.d(), Outcome.notSent("the one before it failed"));

            assertThat(lane.has(lane.d())).isEmpty();
            assertThat(lane.atD().behind().size()).isEqualTo(1);
        }
    }

    @Nested
    class Failures {
        @Test
        void a_failure_leaves_the_rest_of_its_stream_behind_there_and_nowhere_else() {
            lane.read(30, row(10, "K", "b"), row(20, "K", "b"), row(30, "L", "b"));
            lane.send(10, lane.d());
            lane.fail(10, lane.d());

            assertThat(lane.has(lane.d())).containsExactly(10L, 30L);
            assertThat(lane.has(lane.e())).containsExactly(10L, 20L, 30L);
            assertThat(lane.sendable(lane.e())).containsExactly(10L, 30L);
        }

        @Test
        void one_of_the_policy_skip_holds_nobody() {
            lane.read(20, row(10, "K", "skip"), row(20, "K", "a"));
            lane.send(10, lane.d());
            lane.fail(10, lane.d());
            lane.settle(10);

            assertThat(lane.sendable(lane.d())).containsExactly(20L);
        }

        @Test
        void one_that_failed_elsewhere_goes_on_to_the_others_over_the_version_that_was_recorded() {
            lane.read(10, row(10, "K", "b"));
            lane.send(10, lane.d());
            lane.fail(10, lane.d());
            lane.settle(10);

            assertThat(lane.has(lane.e())).containsExactly(10L);
            assertThat(lane.delivery(10, lane.e()).version()).isEqualTo(1);
        }

        @Test
        void one_that_failed_elsewhere_and_is_dropped_here_is_missed_because_its_number_finds_it_no_more() {
            lane.read(10, row(10, "K", "b"));
            lane.send(10, lane.d());
            lane.fail(10, lane.d());
            lane.settle(10);
            lane.page().due(row(10, "K", "b").waiting(0)).comes();
            lane.traffic.pause(lane.e(), "b", "somebody");

            assertThat(lane.has(lane.e())).isEmpty();
            assertThat(lane.atE().missed()).isEqualTo(Due.BEGINNING);
        }

        @Test
        void a_failure_that_was_not_recorded_is_read_again_by_number_and_by_due_time() {
            lane.read(50, row(10, "K", "b"));
            lane.page().range(0, 50).comes();
            lane.send(10, lane.d());
            lane.fail(10, lane.d());
            lane.send(10, lane.e());
            lane.confirm(10, lane.e());
            Result settlement = Objects.requireNonNull(Result.of(lane.message(10)));
            settlement.stale();

            assertThat(lane.atD().everything().position()).isEqualTo(9);
            assertThat(lane.atD().missed()).isEqualTo(Due.BEGINNING);
            assertThat(lane.atE().everything().position()).isEqualTo(50);
            Result again = Objects.requireNonNull(Result.of(lane.message(10)));
            assertThat(again.isFailure()).isFalse();
            assertThat(again.confirmed()).isEqualTo(lane.e().mask());
        }

        @Test
        void a_lagging_destination_passes_what_waits_and_takes_it_when_it_is_due() {
            lane.traffic.pause(lane.e(), "somebody");
            lane.read(20, row(10, "K", "b"));
            lane.send(10, lane.d());
            lane.fail(10, lane.d());
            lane.settle(10);
            lane.traffic.resume(lane.e());
            lane.page().range(0, 20).comes();
            assertThat(lane.has(lane.e())).isEmpty();

            lane.page().due(row(10, "K", "b").waiting(0)).comes();
            assertThat(lane.has(lane.e())).containsExactly(10L);
        }
    }

    @Nested
    class Held {
        @Test
        void a_destination_that_is_gone_is_held_and_flows_when_a_message_gets_through() {
            lane.read(30, row(10, "K", "a"), row(20, "L", "a"), row(30, "M", "a"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.unavailable("gone"));
            assertThat(lane.d().isHeld()).isTrue();
            lane.send(20, lane.d());
            assertThat(lane.sendable(lane.d())).as("one is tried at a time").isEmpty();

            lane.confirm(20, lane.d());
            assertThat(lane.d().isFlowing()).isTrue();
            assertThat(lane.sendable(lane.d())).containsExactly(10L, 30L);
            assertThat(lane.opened).containsExactly("d");
        }

        @Test
        void while_it_is_held_it_takes_a_few_of_different_streams_to_be_tried_and_then_stops() {
            lane = new LaneFixture(new Destination.Share(9, 1_000_000, 9, Integer.MAX_VALUE, 2, 2));
            lane.read(10, row(10, "K", "a"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.unavailable("gone"));
            lane.page()
                    .range(10, 50, row(20, "K", "a"), row(30, "L", "a"), row(40, "M", "a"), row(50, "N", "a"))
                    .comes();

            assertThat(lane.has(lane.d())).containsExactly(10L, 30L);
            assertThat(lane.atD().behind().size()).isEqualTo(1);
            assertThat(lane.atD().everything().position()).isEqualTo(39);
        }

        @Test
        void a_topic_that_is_held_keeps_one_message_to_be_tried_outside_the_share() {
            lane = new LaneFixture(new Destination.Share(2, 1_000_000, 2, Integer.MAX_VALUE, 2, 2));
            lane.read(20, row(10, "K", "b"), row(20, "L", "b"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.topicUnavailable("no such topic"));
            assertThat(lane.has(lane.d())).containsExactly(10L);

            lane.page()
                    .range(20, 60, row(30, "K", "a"), row(40, "M", "a"), row(50, "N", "a"), row(60, "O", "a"))
                    .comes();
            assertThat(lane.has(lane.d())).as("not what waits behind the probe").containsExactly(10L, 40L, 50L);
            assertThat(lane.sendable(lane.d())).containsExactly(10L, 40L, 50L);

            lane.send(10, lane.d());
            lane.confirm(10, lane.d());
            lane.deliver(40, lane.d());
            lane.settle(10);
            assertThat(lane.lane.ablePositions()).as("the rest is taken up").contains(19L);
        }

        @Test
        void a_message_of_the_policy_skip_that_waits_behind_a_probe_is_found_again_with_its_stream() {
            lane.read(10, row(10, "K", "b"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.topicUnavailable("no such topic"));
            lane.page().range(10, 20, row(20, "K", "skip")).comes();
            assertThat(lane.has(lane.d())).containsExactly(10L);

            lane.send(10, lane.d());
            lane.confirm(10, lane.d());
            lane.page().range(19, 20, row(20, "K", "skip")).comes();
            assertThat(lane.has(lane.d())).containsExactly(10L, 20L);
        }

        @Test
        void what_was_on_the_wire_when_its_topic_was_held_keeps_nothing_of_its_stream_out() {
            lane.read(20, row(10, "K", "b"), row(20, "L", "b"));
            lane.send(10, lane.d());
            lane.send(20, lane.d());
            lane.answers(20, lane.d(), Outcome.topicUnavailable("no such topic"));
            lane.page().range(20, 30, row(30, "K", "a")).comes();
            assertThat(lane.has(lane.d())).contains(30L);
        }

        @Test
        void a_probe_keeps_later_messages_of_its_stream_out_while_it_is_on_the_wire() {
            lane.read(10, row(10, "K", "b"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.topicUnavailable("no such topic"));
            lane.send(10, lane.d());
            lane.page().range(10, 20, row(20, "K", "a")).comes();
            assertThat(lane.has(lane.d())).containsExactly(10L);
        }

        @Test
        void a_probe_of_the_policy_skip_keeps_nothing_of_its_stream_out() {
            lane.read(10, row(10, "K", "skip"));
            lane.send(10, lane.d());
            lane.answers(10, lane.d(), Outcome.topicUnavailable("no such topic"));
            lane.page().range(10, 20, row(20, "K", "a")).comes();
            assertThat(lane.has(lane.d())).containsExactly(10L, 20L);
        }

        @Test
        void a_topic_that_is_held_keeps_no_more_than_its_probe_outside_the_share() {
            lane = new LaneFixture(new Destination.Share(3, 1_000_000, 3, Integer.MAX_VALUE, 2, 2));
            lane.read(30, row(10, "K", "b"), row(20, "L", "b"), row(30, "M", "b"));
            lane.send(10, lane.d());
            lane.send(20, lane.d());
            lane.send(30, lane.d());
            lane.answers(10, lane.d(), Outcome.topicUnavailable("no such topic"));
            lane.page()
                    .range(30, 60, row(40, "N", "a"), row(50, "O", "a"), row(60, "P", "a"))
                    .comes();
            assertThat(lane.has(lane.d())).containsExactly(20L, 30L, 40L, 50L);
        }

        @Test
        void what_was_on_the_wire_when_its_topic_was_held_leaves_memory_when_it_comes_back() {
            lane.read(30, row(10, "K", "b"), row(20, "L", "b"), row(30, "L", "a"));
            lane.send(10, lane.d());
            lane.send(20, lane.d());
            lane.answers(10, lane.d(), Outcome.topicUnavailable("no such topic"));
            assertThat(lane.has(lane.d())).containsExactly(20L, 30L);
            lane.answers(20, lane.d(), Outcome.topicUnavailable("no such topic"));

            assertThat(lane.has(lane.d())).isEmpty();
            assertThat(lane.lane.ablePositions())
                    .as("one is read again to be tried")
                    .contains(9L);
        }
    }
}
