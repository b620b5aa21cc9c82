package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a destination's answer says about the destination, its topic and the message. */
@Tag("R26")
class AnswersTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Test
    void about_the_message_opens_a_held_destination() {
        engine.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", "k");
        engine.read(row);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(row, "a", Outcome.unavailable("connection refused"));
        engine.tick(Duration.ofSeconds(5));
        engine.assertSent("a:1");
        engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
        assertThat(engine.heard).containsExactly("held a", "resumed a");
    }

    @Test
    void that_confirms_a_probe_lets_all_others_go() {
        engine.owning(List.of(1));
        StoredMessage probe = row(1, 1, "t", "k");
        engine.read(probe, row(1, 2, "t", "l"), row(1, 3, "t", "m"));
        engine.reserve();
        engine.assertSent("a:1", "a:2", "a:3");
        for (long seq = 1; seq <= 3; seq++) {
            engine.reply(row(1, seq, "t", null), "a", Outcome.unavailable("connection refused"));
        }
        engine.tick(Duration.ofMillis(4_999));
        assertThat(engine.sent()).isEmpty();
        engine.tick(Duration.ofMillis(1));
        List<String> probes = engine.sent();
        assertThat(probes).hasSize(1);
        engine.reply(row(1, Long.parseLong(probes.get(0).substring(2)), "t", null), "a", Outcome.confirmed());
        assertThat(engine.sent()).hasSize(2).doesNotContainAnyElementsOf(probes);
        assertThat(engine.heard).containsExactly("held a", "resumed a");
    }

    @Test
    @Tag("R60")
    void that_asks_for_a_rest_without_end_holds_the_destination_and_harms_nobody() {
        engine.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", null);
        engine.read(row, row(1, 2, "b", null));
        engine.reserve();
        engine.assertSent("a:1", "b:2");
        engine.reply(
                row,
                "a",
                new Outcome.Failed(
                        FailureReason.TRANSPORT_UNAVAILABLE,
                        "never again",
                        Outcome.Scope.DESTINATION,
                        Duration.ofSeconds(Long.MAX_VALUE)));
        assertThat(engine.heard).containsExactly("held a");
        assertThat(engine.nextTurn()).isGreaterThan(engine.nanos());
        engine.read(row(1, 3, "b", null));
        engine.assertSent("b:3");
    }

    @Test
    @Tag("R60")
    @SuppressWarnings("NullAway") // transports of others hand on what an exception says, which may be nothing
    void without_a_text_is_a_failure_like_others() {
        engine.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", null);
        engine.read(row);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, null));
        assertThat(engine.settling().failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.cause().error()).isNotEmpty());
    }

    @Test
    void about_the_topic_holds_that_topic_and_no_other() {
        engine.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", "k");
        engine.read(row);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(row, "a", Outcome.topicUnavailable("no such queue"));
        engine.read(row(1, 2, "t", "other"), row(1, 3, "u", "another"));
        engine.assertSent("a:3");
        assertThat(engine.heard).containsExactly("held a t");
    }

    @Test
    void that_it_never_left_blames_nobody() {
        engine.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", "k");
        engine.read(row);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(row, "a", Outcome.notSent("too late"));
        engine.assertSent("a:1");
        assertThat(engine.heard).isEmpty();
        assertThat(engine.wants(Command.Settle.class)).isFalse();
    }
}
