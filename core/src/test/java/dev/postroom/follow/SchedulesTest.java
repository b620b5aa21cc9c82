package dev.postroom.follow;

import static dev.postroom.follow.LaneFixture.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Schedules that broke an earlier form of the rules. */
@Tag("R22")
@Tag("R33")
class SchedulesTest {
    private LaneFixture lane = new LaneFixture();

    @Test
    void a_late_row_and_a_later_one_of_its_stream_reach_a_lagging_destination_in_order() {
        lane.read(1_000, row(1_000, "L", "b"));
        lane.atD().everything().goBackBefore(101);
        lane.page().late(row(50, "K", "b")).comes();
        lane.page().late(row(150, "K", "b")).comes();
        assertThat(lane.has(lane.d())).containsExactly(50L, 1_000L);
        assertThat(lane.has(lane.e())).containsExactly(50L, 150L, 1_000L);

        lane.page().range(100, 1_000, row(150, "K", "b"), row(1_000, "L", "b")).comes();
        assertThat(lane.has(lane.d())).containsExactly(50L, 150L, 1_000L);
    }

    @Test
    void a_pause_that_ends_does_not_let_a_row_pass_one_that_was_left_to_its_tenants_follower() {
        lane = new LaneFixture(new Destination.Share(9, 1_000_000, 9, 1, 2, 4));
        lane.traffic.pause(lane.d(), "b", "somebody");
        lane.read(
                20,
                row(5, "L", "a").ofTenant("T"),
                row(10, "K", "a").ofTenant("T"),
                row(20, "K", "b").ofTenant("T"));
        lane.traffic.resume(lane.d(), "b");
        lane.page()
                .range(9, 20, row(10, "K", "a").ofTenant("T"), row(20, "K", "b").ofTenant("T"))
                .comes();
        assertThat(lane.has(lane.d())).containsExactly(5L);

        lane.deliver(5, lane.d());
        lane.page()
                .range(9, 20, row(10, "K", "a").ofTenant("T"), row(20, "K", "b").ofTenant("T"))
                .comes();
        assertThat(lane.has(lane.d())).containsExactly(10L);
    }

    @Test
    void a_delayed_row_that_is_due_before_an_earlier_one_of_its_stream_is_reached_waits_for_it() {
        lane.page().due(row(20, "K", "a").delayed(-1)).comes();
        lane.page()
                .range(0, 10, row(10, "K", "a"))
                .due(row(20, "K", "a").delayed(-1))
                .comes();
        assertThat(lane.has(lane.d())).containsExactly(10L);

        lane.page().range(10, 30).comes();
        lane.page().due(row(20, "K", "a").delayed(-1)).comes();
        assertThat(lane.has(lane.d())).containsExactly(10L, 20L);
        assertThat(lane.sendable(lane.d())).containsExactly(10L);
    }

    @Test
    void a_stream_that_is_behind_at_one_destination_flows_to_another() {
        lane.read(10, row(10, "K", "b"));
        lane.send(10, lane.d());
        lane.fail(10, lane.d());
        lane.settle(10);
        lane.deliver(10, lane.e());
        lane.page().range(10, 20, row(20, "K", "b").heldAt(1)).comes();

        assertThat(lane.has(lane.d())).isEmpty();
        assertThat(lane.has(lane.e())).containsExactly(20L);
    }

    @Test
    void rows_that_a_lagging_destination_does_not_owe_are_passed_in_one_step() {
        lane.page()
                .range(0, 1_000, row(10, "K", "a"), row(500, "L", "a"), row(1_000, "M", "a"))
                .comes();

        assertThat(lane.atE().everything().position()).isEqualTo(1_000);
        assertThat(lane.has(lane.e())).isEmpty();
    }

    @Test
    void a_late_part_that_was_cut_off_sends_everybody_back_below_its_lowest_row() {
        lane.read(1_000, row(1_000, "L", "b"));
        lane.lane.goBackBefore(300);
        lane.page().range(299, 1_000, row(300, "K", "b"), row(1_000, "L", "b")).comes();

        assertThat(lane.has(lane.d())).containsExactly(300L, 1_000L);
        assertThat(lane.has(lane.e())).containsExactly(300L, 1_000L);
    }

    @Test
    void two_rows_of_one_number_as_after_a_failover_are_both_offered() {
        LaneFixture lane = new LaneFixture();
        lane.read(20, row(10, "K", "a"), row(10, "L", "a").id(11), row(20, "M", "a"));
        assertThat(lane.has(lane.d())).containsExactly(10L, 10L, 20L);
    }

    @Test
    void a_read_stops_before_a_row_whose_failure_was_not_recorded_while_it_was_under_way() {
        LaneFixture lane = new LaneFixture();
        lane.read(10, row(10, "K", "a"));
        lane.send(10, lane.d());
        lane.fail(10, lane.d());
        lane.readBegins();
        lane.notRecorded(10);
        lane.page()
                .range(0, 20, row(10, "K", "a").version(1), row(20, "L", "a"))
                .answer();
        lane.endRead();
        assertThat(lane.atD().everything().position()).isLessThan(10);

        lane.page()
                .range(9, 20, row(10, "K", "a").version(1), row(20, "L", "a"))
                .comes();
        lane.readStream(lane.atD(), row(10, "K", "a").version(1));
        assertThat(lane.has(lane.d())).containsExactly(10L, 20L);
    }

    @Test
    void a_message_of_the_policy_skip_that_waits_to_be_tried_holds_nobody_of_its_stream() {
        LaneFixture lane = new LaneFixture();
        lane.read(10, row(10, "K", "skip"));
        lane.send(10, lane.d());
        lane.answers(10, lane.d(), Outcome.topicUnavailable("404"));
        lane.page().range(10, 20, row(20, "K", "a")).comes();
        assertThat(lane.sendable(lane.d())).containsExactly(10L, 20L);

        lane.deliver(20, lane.d());
        lane.deliver(10, lane.d());
        assertThat(lane.d().closedGates()).isEmpty();
    }

    @Test
    void a_stream_of_which_one_has_failed_and_nobody_knows_it_yet_stays_behind_when_a_read_finds_nothing_of_it() {
        lane.read(10, row(10, "K", "a"));
        lane.send(10, lane.d());
        lane.fail(10, lane.d());
        lane.streamAnswer(lane.atD(), false);
        assertThat(lane.atD().behind().has("K".hashCode())).isTrue();
    }

    /** Of the stream K, which takes the only place there is. */
    private void oneStreamIsBehindAndNoneHasRoomBeside() {
        lane = new LaneFixture(
                new Destination.Share(9, 1_000_000, 9, Integer.MAX_VALUE, 2, 4), 1, Destination.Pipeline.NONE);
        lane.read(100, row(10, "K", "a").heldAt(1));
        assertThat(lane.d().budget().hasRoom()).isFalse();
    }

    private void missedForRoom() {
        lane.page().due(row(20, "L", "a").waiting(-1).heldAt(1)).comes();
    }

    private void missedForAPause() {
        lane.traffic.pause(lane.d(), "somebody");
        lane.page().due(row(30, null, "a").waiting(-1)).comes();
        lane.traffic.resume(lane.d());
    }

    @Test
    void what_was_missed_for_want_of_room_for_streams_is_not_read_again_before_there_is_some() {
        oneStreamIsBehindAndNoneHasRoomBeside();
        missedForRoom();
        assertThat(lane.atD().missed()).isNotNull();
        assertThat(lane.atD().mayTakeMissed()).isFalse();
    }

    @Test
    void what_was_missed_for_a_pause_is_read_again_whatever_room_there_is_for_streams() {
        oneStreamIsBehindAndNoneHasRoomBeside();
        missedForAPause();
        assertThat(lane.atD().mayTakeMissed()).isTrue();
    }

    @Test
    void what_was_missed_for_a_pause_as_well_is_read_again_whichever_came_first() {
        oneStreamIsBehindAndNoneHasRoomBeside();
        missedForRoom();
        missedForAPause();
        assertThat(lane.atD().mayTakeMissed()).isTrue();

        oneStreamIsBehindAndNoneHasRoomBeside();
        missedForAPause();
        missedForRoom();
        assertThat(lane.atD().mayTakeMissed()).isTrue();
    }
}
