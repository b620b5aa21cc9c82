package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a destination that stays down is tried. */
@Tag("R63")
class ProbesTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Test
    void failures_of_what_was_on_its_way_together_count_as_one() {
        engine.owning(List.of(1));
        engine.read(row(1, 1, "t", null), row(1, 2, "t", null), row(1, 3, "t", null));
        engine.reserve();
        engine.assertSent("a:1", "a:2", "a:3");
        for (long seq = 1; seq <= 3; seq++) {
            engine.reply(row(1, seq, "t", null), "a", Outcome.unavailable("connection refused"));
        }
        assertThat(engine.secondsUntilSent()).isEqualTo(5);
        for (long seq = 1; seq <= 3; seq++) { // whichever was tried
            engine.reply(row(1, seq, "t", null), "a", Outcome.unavailable("connection refused"));
        }
        assertThat(engine.secondsUntilSent()).isEqualTo(9);
    }

    @Test
    void topics_of_a_destination_that_is_back_are_tried_at_once() {
        engine.owning(List.of(1));
        StoredMessage topic = row(1, 1, "t", "k");
        engine.read(topic);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(topic, "a", Outcome.topicUnavailable("no such queue"));
        for (int seconds : new int[] {5, 9}) {
            assertThat(engine.secondsUntilSent()).isEqualTo(seconds);
            engine.reply(topic, "a", Outcome.topicUnavailable("no such queue"));
        }
        StoredMessage other = row(1, 2, "u", "k");
        engine.read(other);
        engine.reserve();
        engine.assertSent("a:2");
        engine.reply(other, "a", Outcome.unavailable("connection refused"));
        engine.secondsUntilSent();
        while (!engine.lastSent.contains("a:2")) { // each stream has its turn
            engine.reply(topic, "a", Outcome.unavailable("connection refused"));
            engine.secondsUntilSent();
        }
        engine.reply(other, "a", Outcome.confirmed());
        engine.read(topic);
        engine.tick(Duration.ZERO);
        engine.assertSent("a:1");
        engine.reply(topic, "a", Outcome.topicUnavailable("still no such queue"));
        assertThat(engine.secondsUntilSent()).as("from the beginning").isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource({"5, 0.0, 8", "5, 1.0, 10", "45, 0.5, 45"})
    void pauses_are_spread_and_never_shorter_than_was_set(int interval, double random, int seconds) {
        HandFedEngine spread = new HandFedEngine(settings -> {
            settings.probeInterval = Duration.ofSeconds(interval);
            settings.random = random;
            return settings;
        });
        spread.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", "k");
        spread.read(row);
        spread.reserve();
        spread.assertSent("a:1");
        spread.reply(row, "a", Outcome.unavailable("connection refused"));
        assertThat(spread.secondsUntilSent()).isEqualTo(interval);
        spread.reply(row, "a", Outcome.unavailable("connection refused"));
        assertThat(spread.secondsUntilSent()).isEqualTo(seconds);
    }
}
