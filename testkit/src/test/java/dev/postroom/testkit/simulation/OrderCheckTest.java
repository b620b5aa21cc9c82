package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Stream;
import dev.postroom.spi.RowKey;
import dev.postroom.testkit.simulation.MessageStory.Fate;
import dev.postroom.testkit.simulation.database.Personality;
import java.util.EnumSet;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which messages have to arrive before another one of their stream. */
@Tag("I3")
class OrderCheckTest {
    private static final Stream STREAM = new Stream("", "orders.created", "k");

    private World world = worldOf(Personality.SNAPSHOTS);

    private static World worldOf(Personality personality) {
        return new World(
                1, SimulationOptions.DEFAULT.personality(personality).allOf(EnumSet.noneOf(Fault.class)), null);
    }

    private MessageStory committed(long seq, long at) {
        RowKey key = new RowKey(world.database.laneOf(STREAM, new UUID(0, seq)), seq, new UUID(0, seq));
        MessageStory story = new MessageStory(key, STREAM, Script.NORMAL, false);
        story.committedAt = at;
        story.fate = Fate.LIVE;
        world.ledger.begin(story);
        return story;
    }

    /** From a relay that has read from the same server since time 0. */
    private void arrives(MessageStory story) {
        Node node = new Node(0, world.timeline, false, 0);
        Sending sending = new Sending(new RelayProcess(world, node, "relay-0.1"), story, "broker", 20);
        story.arrived(sending);
        new OrderCheck(world).arrived(sending);
    }

    @ParameterizedTest
    @EnumSource
    void earlier_ones_that_were_committed_do(Personality personality) {
        world = worldOf(personality);
        committed(3, 1);
        MessageStory later = committed(7, 1);
        assertThatThrownBy(() -> arrives(later)).isInstanceOf(Violation.class);
    }

    @Test
    void one_that_came_back_with_another_server_does_not_where_that_is_not_known() {
        MessageStory cameBack = committed(3, 1);
        cameBack.returnedAt = 10;
        MessageStory later = committed(7, 1);
        assertThatCode(() -> arrives(later)).doesNotThrowAnyException();
    }

    @Test
    void one_that_came_back_before_the_relay_read_from_that_server_does() {
        MessageStory cameBack = committed(3, -2);
        cameBack.returnedAt = 0;
        MessageStory later = committed(7, -1);
        assertThatThrownBy(() -> arrives(later)).isInstanceOf(Violation.class);
    }

    @Test
    void one_of_a_late_transaction_does_although_another_did_not_wait_for_that() {
        committed(3, 10);
        committed(5, 1);
        MessageStory later = committed(7, 10);
        assertThatThrownBy(() -> arrives(later)).isInstanceOf(Violation.class);
    }

    @Test
    void but_not_where_late_rows_are_not_known() {
        world = worldOf(Personality.PORTABLE);
        committed(3, 10);
        MessageStory inBetween = committed(5, 1);
        MessageStory later = committed(7, 10);
        inBetween.arrived(new Sending(
                new RelayProcess(world, new Node(0, world.timeline, false, 0), "relay-0.1"), inBetween, "broker", 5));
        assertThatCode(() -> arrives(later)).doesNotThrowAnyException();
    }
}
