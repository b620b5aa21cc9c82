package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead messages that died while other routes were in force, and what they keep later ones of their stream from. */
@Tag("R61")
@Tag("R22")
class HoldersTest {
    private final HandFedEngine engine = new HandFedEngine();

    private static StoredMessage dead(String topic, long completed) {
        return row(1, 2, topic, "k", new StoredMessage.Progress(RowState.DEAD, 3, 0, completed, false, null, 3));
    }

    @Test
    void one_that_has_been_to_all_destinations_of_today_keeps_nothing_back() {
        engine.owning(List.of(1));
        engine.read(dead("both", 0b111), row(1, 5, "both", "k"));
        engine.reserve();
        engine.assertSent("a:5", "b:5");
    }

    @Test
    void one_that_has_been_to_some_keeps_back_from_the_others() {
        engine.owning(List.of(1));
        engine.read(dead("both", 0b001), row(1, 5, "both", "k"));
        engine.reserve();
        engine.assertSent("a:5");
    }

    @Test
    void one_keeps_messages_of_other_topics_back_where_it_still_has_to_go_and_nowhere_else() {
        engine.owning(List.of(1));
        engine.read(dead("t", 0), row(1, 5, "both", "k"));
        engine.reserve();
        engine.assertSent("b:5");
    }

    @Test
    void one_that_has_been_to_the_only_destination_of_today_keeps_nothing_back() {
        HandFedEngine narrow = new HandFedEngine(HandFedEngine.Settings::onlyOneDestination).owning(List.of(1));
        narrow.read(dead("t", 0b11), row(1, 5, "t", "k"));
        narrow.reserve();
        narrow.assertSent("a:5");
    }

    @Test
    void its_stream_is_asked_for_now_and_then_and_goes_on_when_it_is_gone() {
        engine.owning(List.of(1));
        engine.read(dead("t", 0), row(1, 5, "t", "k"));
        engine.reserve();
        assertThat(engine.sent()).isEmpty();
        for (int seconds = 0; seconds < 20; seconds++) {
            engine.tick(Duration.ofSeconds(1));
            engine.renew(1);
            engine.answerReads();
        }
        assertThat(engine.sent()).isEmpty();
        engine.remove(dead("t", 0));
        assertThat(engine.secondsUntilSent()).isLessThanOrEqualTo(10);
        assertThat(engine.lastSent).containsExactly("a:5");
    }
}
