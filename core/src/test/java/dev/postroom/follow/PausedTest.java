package dev.postroom.follow;

import static dev.postroom.follow.LaneFixture.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Pauses;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An operator resumes a destination that is held because it fails everything. */
@Tag("R36")
class PausedTest {
    private static final Instant NOON = Instant.ofEpochSecond(43_200);

    private final LaneFixture lane = new LaneFixture();
    private final Paused paused = new Paused(lane.traffic, lane.destinations.values());

    @BeforeEach
    void rows() {
        lane.read(
                80,
                row(10, "K", "a"),
                row(20, "L", "skip"),
                row(30, "M", "a"),
                row(40, "N", "skip"),
                row(50, "O", "a"),
                row(60, "P", "skip"),
                row(70, "Q", "a"),
                row(80, "R", "skip"));
    }

    private void failsEverything(long... seqs) {
        for (long seq : seqs) {
            lane.send(seq, lane.d());
            lane.fail(seq, lane.d());
        }
        assertThat(lane.d().isHeld()).isTrue();
    }

    private void told(Map<String, Instant> resumed) {
        paused.are(new Pauses(List.of(), resumed));
    }

    @Test
    void it_flows_when_that_is_told() {
        told(Map.of());
        failsEverything(10, 20, 30, 40);
        told(Map.of("d", NOON));
        assertThat(lane.d().isFlowing()).isTrue();
    }

    @Test
    void what_was_resumed_before_this_relay_came_does_not_count() {
        failsEverything(10, 20, 30, 40);
        told(Map.of("d", NOON));
        assertThat(lane.d().isHeld()).isTrue();
    }

    @Test
    void what_was_told_before_does_not_count_again() {
        told(Map.of());
        told(Map.of("d", NOON));
        failsEverything(10, 20, 30, 40);
        told(Map.of("d", NOON));
        assertThat(lane.d().isHeld()).isTrue();
    }

    @Test
    void it_counts_also_when_the_databases_clock_was_set_back() {
        told(Map.of("d", NOON));
        failsEverything(10, 20, 30, 40);
        told(Map.of("d", NOON.minusSeconds(60)));
        assertThat(lane.d().isFlowing()).isTrue();
    }

    @Test
    void another_destination_does_not_flow_for_it() {
        told(Map.of());
        failsEverything(10, 20, 30, 40);
        told(Map.of("e", NOON));
        assertThat(lane.d().isHeld()).isTrue();
    }
}
