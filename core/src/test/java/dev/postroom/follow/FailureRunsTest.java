package dev.postroom.follow;

import static dev.postroom.follow.LaneFixture.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.follow.FailureRuns.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What failures in a row say: of 10 to 40, K to N, the types are a and b in turn; 50 to 80 are of a. Four are a long run. */
@Tag("R26")
class FailureRunsTest {
    private final LaneFixture lane = new LaneFixture();
    private final FailureRuns runs = new FailureRuns(4);

    @BeforeEach
    void rows() {
        lane.read(
                80,
                row(10, "K", "a"),
                row(20, "L", "b"),
                row(30, "M", "a"),
                row(40, "N", "b"),
                row(50, "O", "a"),
                row(60, "P", "a"),
                row(70, "Q", "a"),
                row(80, "R", "a"));
    }

    private Verdict failed(long seq) {
        return runs.failed(lane.delivery(seq, lane.d()), 1, false);
    }

    private Verdict lastTryOf(long seq, int attempts) {
        return runs.failed(lane.delivery(seq, lane.d()), attempts, true);
    }

    private void confirmed(long seq) {
        runs.confirmed(lane.message(seq));
    }

    @Nested
    class The_last_try_of_a_message {
        @Test
        void tells_of_an_outage_when_all_of_its_tries_are_among_the_failures() {
            confirmed(50);
            failed(10);
            failed(20);
            assertThat(lastTryOf(30, 1)).isEqualTo(Verdict.DESTINATION);
        }

        @Test
        void is_its_own_when_an_earlier_one_failed_while_others_were_confirmed() {
            confirmed(50);
            failed(10);
            failed(20);
            assertThat(lastTryOf(30, 2)).isEqualTo(Verdict.MESSAGE);
        }

        @Test
        void is_its_own_when_it_has_failed_before_a_confirmation() {
            failed(30);
            confirmed(50);
            failed(10);
            failed(20);
            assertThat(lastTryOf(30, 2)).isEqualTo(Verdict.MESSAGE);
        }

        @Test
        void tells_of_an_outage_when_nothing_was_ever_confirmed_because_another_relay_may_have_tried_it() {
            failed(10);
            failed(20);
            assertThat(lastTryOf(30, 5)).isEqualTo(Verdict.DESTINATION);
        }

        @Test
        void tells_of_an_outage_also_when_somebody_said_in_between_that_the_receiver_is_well() {
            confirmed(50);
            failed(30);
            failed(10);
            failed(20);
            runs.beginAgain();
            assertThat(lastTryOf(30, 2)).isEqualTo(Verdict.DESTINATION);
        }
    }

    @Nested
    class A_confirmation {
        @Test
        void forgets_the_streams_that_failed() {
            failed(10);
            failed(20);
            confirmed(50);
            failed(30);
            failed(40);
            failed(30);
            assertThat(failed(40)).as("of two streams").isEqualTo(Verdict.MESSAGE);
        }

        @Test
        void ends_the_run_of_its_type() {
            failed(10);
            failed(30);
            failed(50);
            confirmed(60);
            assertThat(failed(70)).isEqualTo(Verdict.MESSAGE);
        }

        @Test
        void forgets_the_types_that_failed() {
            failed(20);
            confirmed(80);
            failed(10);
            failed(30);
            failed(50);
            assertThat(failed(70)).isEqualTo(Verdict.TYPE);
        }
    }

    @Nested
    class What_is_held {
        @Test
        void is_a_type_when_nothing_else_was_tried() {
            failed(10);
            failed(30);
            failed(50);
            assertThat(failed(70)).isEqualTo(Verdict.TYPE);
        }

        @Test
        void is_the_destination_when_a_held_type_still_fails_and_another_one_begins_to() {
            confirmed(20);
            runs.stillFails(lane.delivery(10, lane.d()));
            runs.stillFails(lane.delivery(30, lane.d()));
            assertThat(lastTryOf(40, 1)).isEqualTo(Verdict.DESTINATION);
        }

        @Test
        void is_nothing_before_a_type_has_failed_as_often_again_that_somebody_said_was_well() {
            failed(10);
            failed(30);
            failed(50);
            failed(70);
            runs.beginAgain();
            failed(10);
            failed(30);
            assertThat(failed(50)).isEqualTo(Verdict.MESSAGE);
            assertThat(failed(70)).isEqualTo(Verdict.TYPE);
        }
    }
}
