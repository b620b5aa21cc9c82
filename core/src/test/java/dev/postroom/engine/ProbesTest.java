package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
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
        StoredMessage other = row(1, 2, "u", "another");
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

    @Test
    void a_destination_that_stays_down_is_tried_more_and_more_seldom() {
        engine.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", "k");
        engine.read(row);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(row, "a", Outcome.unavailable("connection refused"));
        for (int seconds : new int[] {5, 9, 18, 27, 27}) { // from the second on, spread below 10, 20 and 30
            assertThat(engine.secondsUntilSent()).isEqualTo(seconds);
            engine.reply(row, "a", Outcome.unavailable("connection refused"));
        }
        assertThat(engine.secondsUntilSent()).isEqualTo(27);
        engine.reply(row, "a", Outcome.confirmed());
        engine.read(row(1, 2, "t", "k"));
        engine.assertSent("a:2");
        engine.reply(row(1, 2, "t", "k"), "a", Outcome.unavailable("down again"));
        assertThat(engine.secondsUntilSent()).as("after a success").isEqualTo(5);
    }

    @Test
    void a_destination_that_stays_down_is_not_tried_by_all_relays_at_the_same_intervals() {
        HandFedEngine other = new HandFedEngine(settings -> {
            settings.random = 0;
            return settings;
        });
        other.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", "k");
        other.read(row);
        other.reserve();
        other.assertSent("a:1");
        other.reply(row, "a", Outcome.unavailable("connection refused"));
        for (int seconds : new int[] {5, 8, 16, 24, 24, 24}) {
            assertThat(other.secondsUntilSent()).isEqualTo(seconds);
            other.reply(row, "a", Outcome.unavailable("connection refused"));
        }
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

    @Test
    void a_destination_that_is_down_is_tried_with_what_stands_first_in_line() {
        engine.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", null);
        engine.read(row);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(row, "a", Outcome.unavailable("connection refused"));
        engine.read(row(1, 2, "t", null));
        engine.secondsUntilSent();
        assertThat(engine.lastSent).containsExactly("a:1");
    }

    @Nested
    @Tag("R26")
    class What_fails_everything {
        private final HandFedEngine engine = new HandFedEngine(settings -> {
            settings.failuresInARow = 3;
            return settings;
        });

        private void failing(String topic, String another, String third) {
            StoredMessage[] rows = {row(1, 1, topic, null), row(1, 2, another, null), row(1, 3, third, null)};
            engine.read(rows);
            engine.reserve();
            engine.assertSent("a:1", "a:2", "a:3");
            for (StoredMessage row : rows) {
                engine.reply(row, "a", Outcome.failed(FailureReason.UNKNOWN, "500"));
            }
        }

        @Test
        void is_told_and_tried_with_the_last_and_the_first_in_turn() {
            engine.owning(List.of(1));
            failing("t", "u", "t");
            assertThat(engine.heard).contains("held a");

            engine.read(row(1, 4, "t", null), row(1, 5, "t", null), row(1, 6, "t", null), row(1, 7, "t", null));
            engine.secondsUntilSent();
            assertThat(engine.lastSent).containsExactly("a:7", "a:4", "a:6", "a:5");
        }

        @Test
        void of_one_type_is_tried_with_several_messages_at_once_and_not_more_than_a_round() {
            engine.owning(List.of(1));
            failing("t", "t", "t");
            assertThat(engine.heard).contains("held a");

            StoredMessage[] rows = new StoredMessage[12];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = row(1, 4 + i, "t", null);
            }
            engine.read(rows);
            engine.secondsUntilSent();
            assertThat(engine.lastSent)
                    .as("half a round: the other half is for those that were tried before")
                    .hasSize(4);
            engine.tick(Duration.ofSeconds(1));
            assertThat(engine.sent()).isEmpty();
        }
    }
}
