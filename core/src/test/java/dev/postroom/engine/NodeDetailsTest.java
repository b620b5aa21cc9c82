package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay tells about itself with each renewal. */
@Tag("R60")
class NodeDetailsTest {
    private static final int LONGEST_THAT_FITS = 65_536;

    private final HandFedEngine engine = new HandFedEngine();

    private String details() {
        if (!engine.wants(Command.Beat.class)) {
            engine.tick(HandFedEngine.LEASE);
        }
        return engine.answer(Command.Beat.class, new Event.KeeperFailed("later"))
                .report()
                .details();
    }

    @Test
    void topics_that_are_held_for_odd_reasons_fit_into_the_report() {
        engine.owning(List.of(1));
        StoredMessage[] rows = LongStream.rangeClosed(1, 50)
                .mapToObj(seq -> row(1, seq, "\u0001".repeat(200) + seq, null))
                .toArray(StoredMessage[]::new);
        engine.read(rows);
        engine.reserve();
        assertThat(engine.sent()).hasSize(50);
        for (StoredMessage row : rows) {
            engine.reply(row, "a", Outcome.topicUnavailable("\u0001".repeat(200)));
        }
        Map<String, String> addresses = new HashMap<>();
        LongStream.range(0, 62).forEach(i -> addresses.put("destination" + i, "\u0001".repeat(300)));
        engine.deliversTo(addresses);
        details(); // decided before
        assertThat(details()).contains("\\u0001", "destination0").hasSizeLessThan(LONGEST_THAT_FITS);
    }

    @Test
    @Tag("R61")
    void addresses_are_told_by_the_destinations_names() {
        engine.deliversTo(Map.of("b", "kafka b:9092", "a", "rabbitmq amqp://a"));
        details(); // decided before
        assertThat(details()).contains("\"addresses\":{\"a\":\"rabbitmq amqp://a\",\"b\":\"kafka b:9092\"}");
    }

    @Test
    @Tag("R61")
    void relay_is_ripe_after_the_delay_and_after_a_failure_if_it_was_before() {
        assertThat(ripeAfter()).isEqualTo(Duration.ofSeconds(30));
        engine.succeeds(new Restart(1, "a bug", engine.nanos(), false));
        ripeAfter(); // decided before
        assertThat(ripeAfter()).isEqualTo(Duration.ofSeconds(30));
        engine.succeeds(new Restart(2, "a bug", engine.nanos(), true));
        ripeAfter();
        assertThat(ripeAfter()).isZero();
    }

    /** Neither a clock of the database that is set back nor a server that lost the relay's row makes it unripe again. */
    @Test
    @Tag("R61")
    void relay_that_has_lived_for_the_delay_by_its_own_clock_needs_the_databases_no_more() {
        engine.owning(List.of(1));
        engine.tick(Duration.ofSeconds(29));
        assertThat(ripeAfter()).isEqualTo(Duration.ofSeconds(30));
        engine.tick(Duration.ofSeconds(1));
        assertThat(ripeAfter()).isZero();
    }

    private Duration ripeAfter() {
        if (!engine.wants(Command.Beat.class)) {
            engine.tick(HandFedEngine.LEASE);
        }
        return engine.answer(Command.Beat.class, new Event.KeeperFailed("later"))
                .report()
                .ripeAfter();
    }

    @Test
    void restart_is_told_for_as_long_as_it_is_recent() {
        engine.succeeds(new Restart(2, "a bug", engine.nanos(), true));
        details(); // decided before
        assertThat(details()).contains("\"restart\":{\"times\":2,\"secondsAgo\":10.000,\"why\":\"a bug\"}");
        engine.tick(Restart.TOLD_FOR);
        details();
        assertThat(details()).doesNotContain("restart");
    }

    @Test
    @Tag("R63")
    void a_type_that_is_held_is_told_as_a_type_and_not_as_a_topic() {
        HandFedEngine engine = new HandFedEngine(settings -> {
            settings.failuresInARow = 3;
            return settings;
        });
        engine.owning(List.of(1));
        StoredMessage[] rows = {row(1, 1, "t", null), row(1, 2, "t", null), row(1, 3, "t", null)};
        engine.read(rows);
        engine.reserve();
        engine.sent();
        for (StoredMessage row : rows) {
            engine.reply(row, "a", Outcome.failed(FailureReason.UNKNOWN, "500"));
        }
        engine.tick(HandFedEngine.LEASE);
        assertThat(engine.take(Command.Beat.class).report().details())
                .contains(
                        "{\"cause\":\"breaker\",\"destination\":\"a\",\"topic\":null,\"type\":\"t\",\"why\":\"it fails everything");
    }
}
