package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.Pause;
import dev.postroom.spi.LaneStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What operators pause is not sent. */
@Tag("R36")
class PausesTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Test
    void are_known_before_anything_is_sent() {
        engine.answer(Command.ReadPauses.class, new Event.ReaderFailed("connection refused"));
        engine.acquire(List.of(new LaneStore.Lease(1, 1, false, 0, 0)));
        engine.tick(Duration.ofMillis(200));
        engine.read(row(1, 1, "t", "k"));
        assertThat(engine.sent()).isEmpty();
        engine.pausesAre(List.of(paused(Pause.Target.topic("t"))));
        assertThat(engine.sent()).isEmpty();
        assertThat(engine.wants(Command.Reserve.class)).isFalse();
        engine.pausesAre(List.of());
        engine.reserve();
        engine.assertSent("a:1");
    }

    @ParameterizedTest
    @MethodSource
    void keep_what_they_mean_and_nothing_else(Pause.Target target, List<String> sent) {
        engine.owning(List.of(1));
        engine.pausesAre(List.of(paused(target)));
        engine.read(row(1, 1, "t", "k"), row(1, 2, "u", "l"), row(1, 3, "b", "m"));
        engine.reserve();
        engine.assertSent(sent.toArray(String[]::new));
        engine.pausesAre(List.of());
        engine.reserve();
        List<String> rest = new ArrayList<>(List.of("a:1", "a:2", "b:3"));
        rest.removeAll(sent);
        engine.assertSent(rest.toArray(String[]::new));
    }

    static Stream<Arguments> keep_what_they_mean_and_nothing_else() {
        return Stream.of(
                Arguments.of(Pause.Target.EVERYTHING, List.of()),
                Arguments.of(Pause.Target.topic("t"), List.of("a:2", "b:3")),
                Arguments.of(Pause.Target.destination("a"), List.of("b:3")));
    }

    @Test
    @Tag("R22")
    void of_a_topic_keep_later_messages_of_its_streams_that_go_to_the_same_destination() {
        engine.owning(List.of(1));
        engine.pausesAre(List.of(paused(Pause.Target.topic("t"))));
        engine.read(row(1, 1, "t", "k"), row(1, 2, "u", "k"), row(1, 3, "b", "k"));
        engine.reserve();
        engine.assertSent("b:3");
    }

    private static Pause paused(Pause.Target target) {
        return new Pause(target, Instant.EPOCH, "operator", "why");
    }
}
