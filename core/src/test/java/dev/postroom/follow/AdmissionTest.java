package dev.postroom.follow;

import static dev.postroom.follow.LaneFixture.row;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule of admission, one example each. */
@Tag("R22")
class AdmissionTest {
    private static final Destination.Share SMALL = new Destination.Share(4, 1_000_000, 2, Integer.MAX_VALUE, 2, 2);

    private LaneFixture lane = new LaneFixture();

    @Test
    void a_row_that_is_owed_comes_into_memory_for_each_of_its_destinations() {
        lane.read(20, row(10, "K", "a"), row(20, "K", "b"));

        assertThat(lane.has(lane.d())).containsExactly(10L, 20L);
        assertThat(lane.has(lane.e())).containsExactly(20L);
    }

    @Test
    void a_row_that_nobody_takes_stays_where_it_is_and_holds_nobody() {
        lane.read(20, row(10, "K", "nobody"), row(20, "K", "a"));

        assertThat(lane.has(lane.d())).containsExactly(20L);
        assertThat(lane.atD().everything().position()).isEqualTo(20);
    }

    @Test
    void a_row_that_comes_again_changes_nothing() {
        lane.read(20, row(10, "K", "a"), row(20, "K", "a"));
        lane.page()
                .late(row(10, "K", "a"))
                .range(0, 20, row(10, "K", "a"), row(20, "K", "a"))
                .comes();

        assertThat(lane.has(lane.d())).containsExactly(10L, 20L);
        assertThat(lane.d().count()).isEqualTo(2);
        assertThat(lane.sendable(lane.d())).containsExactly(10L);
    }

    @Test
    void what_was_settled_while_a_page_was_read_does_not_come_back_with_it() {
        lane.read(10, row(10, "K", "a"));
        lane.readBegins();
        lane.deliver(10, lane.d());

        lane.page().late(row(10, "K", "a")).comes();
        assertThat(lane.has(lane.d())).isEmpty();
    }

    @Test
    void an_operators_release_is_taken_over_while_the_message_waits() {
        lane.read(20, row(10, "K", "a"), row(20, "K", "a"));
        lane.send(10, lane.d());
        lane.page().due(row(20, "K", "a").waiting(-1).released().version(3)).comes();

        assertThat(lane.sendable(lane.d())).containsExactly(20L);
        assertThat(lane.delivery(20, lane.d()).version()).isEqualTo(3);
    }

    @Nested
    class Followers {
        @Test
        void a_late_row_is_left_to_a_follower_that_has_not_come_so_far() {
            lane.read(100, row(100, "L", "a"));
            lane.atE().arrive(new Walk(lane.lane, 100, 9, 9), 1_000);

            lane.page().late(row(150, "K", "b")).comes();

            assertThat(lane.has(lane.d())).containsExactly(100L);
            assertThat(lane.has(lane.e())).containsExactly(150L);
        }

        @Test
        void a_closed_destination_stops_its_own_follower_and_no_other() {
            lane.traffic.pause(lane.d(), "somebody");
            lane.read(20, row(10, "K", "b"), row(20, "L", "b"));

            assertThat(lane.atD().everything().position()).isZero();
            assertThat(lane.atE().everything().position()).isEqualTo(20);
            assertThat(lane.has(lane.e())).containsExactly(10L, 20L);
        }

        @Test
        void a_full_destination_stops_before_the_first_row_that_it_cannot_take() {
            lane = new LaneFixture(SMALL);
            lane.read(
                    60, row(10, "A", "a"), row(20, "B", "a"), row(30, "C", "a"), row(40, "D", "a"), row(50, "E", "a"));

            assertThat(lane.has(lane.d())).hasSize(4);
            assertThat(lane.atD().everything().position()).isEqualTo(49);
        }

        @Test
        void a_late_row_that_cannot_be_taken_sends_the_follower_back_before_it() {
            lane.read(1_000, row(1_000, "L", "a"));
            lane.traffic.pause(lane.d(), "somebody");

            lane.page().late(row(500, "K", "b")).comes();

            assertThat(lane.atD().everything().position()).isEqualTo(499);
            assertThat(lane.atE().everything().position()).isEqualTo(1_000);
        }

        /** Where the numbers end is told by the highest row on some databases, and that row has gone by now. */
        @Test
        void one_that_lags_catches_up_when_nothing_is_left_between() {
            lane.traffic.pause(lane.d(), "somebody");
            lane.read(20, row(10, "K", "a"), row(20, "L", "b"));
            lane.deliver(20, lane.e());
            lane.traffic.resume(lane.d());

            lane.page().range(0, 10, row(10, "K", "a")).comes();

            assertThat(lane.atD().everything().position()).isEqualTo(20);
        }

        @Test
        void ten_rows_further_on_each_follower_goes_on_where_it_stopped() {
            lane = new LaneFixture(SMALL);
            lane.read(
                    60, row(10, "A", "b"), row(20, "B", "b"), row(30, "C", "b"), row(40, "D", "b"), row(50, "E", "b"));
            lane.deliver(10, lane.e());
            lane.deliver(20, lane.e());

            lane.page().range(49, 60, row(50, "E", "b"), row(60, "F", "b")).comes();

            assertThat(lane.has(lane.e())).containsExactly(30L, 40L, 50L, 60L);
            assertThat(lane.has(lane.d())).containsExactly(10L, 20L, 30L, 40L);
            assertThat(lane.atD().everything().position()).isEqualTo(49);
        }
    }

    @Nested
    class Gates {
        @Test
        void a_paused_topic_puts_off_its_messages_and_later_ones_of_those_streams_only() {
            lane.traffic.pause(lane.d(), "b", "somebody");
            lane.read(40, row(10, "K", "b"), row(20, "L", "a"), row(30, "K", "a"), row(40, null, "a"));

            assertThat(lane.has(lane.d())).containsExactly(20L, 40L);
            assertThat(lane.has(lane.e())).containsExactly(10L);
            assertThat(lane.atD().everything().position()).isEqualTo(40);
        }

        @Test
        void a_topic_of_the_policy_skip_holds_nobody_by_being_put_off() {
            lane.traffic.pause(lane.d(), "skip", "somebody");
            lane.read(20, row(10, "K", "skip"), row(20, "K", "a"));

            assertThat(lane.has(lane.d())).containsExactly(20L);
        }

        @Test
        void what_was_put_off_is_read_when_the_gate_opens_and_its_follower_ends_when_it_has_caught_up() {
            lane.traffic.pause(lane.d(), "b", "somebody");
            lane.read(40, row(10, "K", "b"), row(30, "K", "a"), row(40, "L", "a"));
            lane.traffic.resume(lane.d(), "b");
            assertThat(lane.lane.ablePositions()).containsExactly(9L, 40L);

            lane.page()
                    .range(9, 40, row(10, "K", "b"), row(30, "K", "a"), row(40, "L", "a"))
                    .comes();

            assertThat(lane.has(lane.d())).containsExactly(10L, 30L, 40L);
            assertThat(lane.atD().parts()).isEmpty();
            assertThat(lane.d().budget().used()).isZero();
        }

        @Test
        void a_gate_that_closes_takes_what_was_not_sent_out_of_memory_and_later_ones_of_its_streams() {
            lane.read(40, row(10, "K", "b"), row(20, "K", "a"), row(30, "L", "a"), row(40, "M", "b"));
            lane.traffic.pause(lane.d(), "b", "somebody");

            assertThat(lane.has(lane.d())).containsExactly(30L);
            assertThat(lane.part(lane.atD()).position()).isEqualTo(9);
        }

        @Test
        void sets_that_are_full_stop_the_destination_before_a_stream_that_they_cannot_remember() {
            lane = new LaneFixture(SMALL, 1, Destination.Pipeline.NONE);
            lane.traffic.pause(lane.d(), "b", "somebody");
            lane.read(40, row(10, "K", "b"), row(20, "L", "a"), row(30, "M", "b"), row(40, "N", "a"));

            assertThat(lane.has(lane.d())).containsExactly(20L);
            assertThat(lane.atD().everything().position()).isEqualTo(29);
        }

        @Test
        void more_gates_than_there_may_be_parts_stop_the_destination_in_this_lane() {
            lane = new LaneFixture(new Destination.Share(9, 1_000_000, 2, Integer.MAX_VALUE, 2, 1));
            lane.traffic.pause(lane.d(), "b", "somebody");
            lane.traffic.pause(lane.d(), "skip", "somebody");
            lane.read(30, row(10, "K", "b"), row(20, "L", "skip"), row(30, "M", "a"));

            assertThat(lane.atD().everything().position()).isEqualTo(19);
        }
    }

    @Nested
    class BehindStreams {
        @Test
        void a_row_that_a_holder_keeps_back_makes_its_stream_fall_behind_there() {
            lane.read(30, row(20, "K", "b").heldAt(1), row(30, "K", "b").heldAt(1));

            assertThat(lane.has(lane.d())).isEmpty();
            assertThat(lane.has(lane.e())).containsExactly(20L, 30L);
            assertThat(lane.atD().behind().size()).isEqualTo(1);
        }

        @Test
        void a_stream_beyond_its_share_falls_behind_and_is_read_when_a_quarter_is_left() {
            lane = new LaneFixture(new Destination.Share(9, 1_000_000, 4, Integer.MAX_VALUE, 2, 2));
            lane.read(
                    60,
                    row(10, "K", "a"),
                    row(20, "K", "a"),
                    row(30, "K", "a"),
                    row(40, "K", "a"),
                    row(50, "K", "a"),
                    row(60, "L", "a"));
            assertThat(lane.has(lane.d())).containsExactly(10L, 20L, 30L, 40L, 60L);
            lane.deliver(10, lane.d());
            lane.deliver(20, lane.d());
            assertThat(lane.atD().behind().isAnyWanted()).isFalse();
            lane.deliver(30, lane.d());
            assertThat(lane.atD().behind().isAnyWanted()).isTrue();

            lane.readStream(lane.atD(), row(40, "K", "a"), row(50, "K", "a"));

            assertThat(lane.has(lane.d())).containsExactly(40L, 50L, 60L);
            assertThat(lane.atD().behind().size()).isZero();
        }

        @Test
        void an_earlier_row_that_nobody_knows_makes_the_stream_fall_behind_instead_of_being_overtaken() {
            lane.read(30, row(30, "K", "a").after(20));

            assertThat(lane.has(lane.d())).isEmpty();
            assertThat(lane.atD().behind().isAnyWanted()).isTrue();
        }

        @Test
        void a_stream_read_takes_its_first_holder_when_that_is_due_and_nothing_behind_it() {
            lane.read(30, row(20, "K", "a").heldAt(1), row(30, "K", "a").heldAt(1));

            lane.readStream(lane.atD(), row(10, "K", "a").waiting(-1), row(20, "K", "a"), row(30, "K", "a"));

            assertThat(lane.has(lane.d())).containsExactly(10L);
            assertThat(lane.atD().behind().size()).isEqualTo(1);
        }

        @Test
        void a_dead_row_keeps_its_stream_behind() {
            lane.read(20, row(20, "K", "a").heldAt(1));
            lane.readStream(lane.atD(), row(10, "K", "a").dead(), row(20, "K", "a"));

            assertThat(lane.has(lane.d())).isEmpty();
            assertThat(lane.atD().behind().size()).isEqualTo(1);
        }

        @Test
        void rows_that_no_follower_has_reached_are_left_to_the_followers() {
            lane.read(20, row(20, "K", "a").heldAt(1));
            lane.readStream(lane.atD(), row(20, "K", "a"), row(50, "K", "a"));

            assertThat(lane.has(lane.d())).containsExactly(20L);
            assertThat(lane.atD().behind().size()).isZero();
        }

        @Test
        void an_answer_does_not_free_a_stream_that_fell_behind_after_its_read_began() {
            lane.read(20, row(10, "K", "a"), row(20, "K", "a").heldAt(1));
            lane.readBegins();
            lane.send(10, lane.d());
            lane.fail(10, lane.d());
            lane.settle(10);

            lane.streamAnswer(lane.atD(), false);
            lane.endRead();

            assertThat(lane.atD().behind().size()).isEqualTo(1);
        }

        @Test
        void a_long_stream_that_has_arrived_here_is_not_read_from_its_beginning_each_time() {
            lane.read(90, row(90, "K", "b").heldAt(1));
            lane.readBegins();
            lane.streamAnswer(
                    lane.atD(),
                    true,
                    row(10, "K", "b").arrivedAt(1),
                    row(20, "K", "b").arrivedAt(1));
            lane.endRead();
            assertThat(lane.atD().behind().passed().upTo("K".hashCode())).isEqualTo(20);

            lane.page().late(row(15, "K", "b")).comes();
            assertThat(lane.atD().behind().passed().upTo("K".hashCode())).isEqualTo(14);
        }
    }

    @Nested
    class DueRows {
        @Test
        void one_that_its_follower_has_not_reached_is_missed_and_read_again_from_there() {
            lane.page().due(row(10, "K", "a").delayed(-5)).comes();
            assertThat(lane.has(lane.d())).isEmpty();
            assertThat(lane.lane.dueUpTo().seq()).isEqualTo(10);

            lane.read(50);
            lane.lane.rereadMissed(lane.atD());
            assertThat(lane.lane.dueUpTo().seq()).isEqualTo(9);
            lane.page().due(row(10, "K", "a").delayed(-5)).comes();

            assertThat(lane.has(lane.d())).containsExactly(10L);
        }

        @Test
        void one_that_a_closed_destination_cannot_take_is_missed_there_and_taken_elsewhere() {
            lane.read(50);
            lane.page().range(0, 50).comes();
            lane.traffic.pause(lane.d(), "somebody");
            lane.page().due(row(10, "K", "b").delayed(-5)).comes();

            assertThat(lane.atD().missed()).isEqualTo(new Due(LaneFixture.NOW.minusSeconds(5), 10));
            assertThat(lane.atE().missed()).isNull();
            assertThat(lane.has(lane.e())).containsExactly(10L);
            assertThat(lane.atD().everything().position()).isEqualTo(50);
        }

        @Test
        void one_of_a_stream_that_is_behind_is_not_missed_but_has_its_stream_read() {
            lane.read(20, row(20, "K", "a").heldAt(1));
            lane.page().due(row(10, "K", "a").waiting(-1)).comes();

            assertThat(lane.atD().missed()).isNull();
            assertThat(lane.atD().behind().isAnyWanted()).isTrue();
        }

        @Test
        void what_waits_for_another_try_may_exceed_the_share_by_a_quarter() {
            lane = new LaneFixture(SMALL);
            lane.read(60, row(20, "B", "a"), row(30, "C", "a"), row(40, "D", "a"), row(50, "E", "a"));
            lane.page()
                    .due(row(10, "A", "a").waiting(-2), row(11, "F", "a").waiting(-1))
                    .comes();

            assertThat(lane.has(lane.d())).containsExactly(10L, 20L, 30L, 40L, 50L);
            assertThat(lane.atD().missed()).isEqualTo(new Due(LaneFixture.NOW.minusSeconds(1), 11));
        }
    }
}
