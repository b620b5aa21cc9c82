package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes into memory at most. */
@Tag("I9")
class MemoryBoundsTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Test
    void by_stream() {
        HandFedEngine large = new HandFedEngine(settings -> {
            settings.maxInFlight = 1_000;
            return settings;
        });
        large.owning(List.of(1));
        large.read(rows(80, "t", seq -> "k"));
        assertThat(large.inMemory()).isEqualTo(64);
    }

    @Test
    void by_destination_so_that_others_have_room() {
        engine.owning(List.of(1));
        engine.read(rows(90, "t", seq -> null));
        assertThat(engine.inMemory()).isEqualTo(50);
        engine.read(row(1, 91, "b", null));
        assertThat(engine.inMemory()).isEqualTo(51);
    }

    @Test
    void by_destinations_that_are_down() {
        engine.owning(List.of(1));
        StoredMessage first = row(1, 1, "t", null);
        engine.read(first);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(first, "a", Outcome.unavailable("connection refused"));
        engine.read(rows(40, "t", seq -> "k" + seq));
        assertThat(engine.inMemory()).as("a few to probe with").isEqualTo(8);
    }

    @Test
    void by_topics_that_are_refused() {
        HandFedEngine large = new HandFedEngine(settings -> {
            settings.maxInFlight = 10_000;
            return settings;
        });
        large.owning(List.of(1));
        StoredMessage[] rows = LongStream.rangeClosed(1, 1_001)
                .mapToObj(seq -> row(1, seq, "t" + seq, null))
                .toArray(StoredMessage[]::new);
        large.read(rows);
        large.reserve();
        assertThat(large.sent()).hasSize(1_001);
        large.tell(Arrays.stream(rows)
                .map(row -> new Event.Replied(row.key(), "a", Outcome.topicUnavailable("unknown")))
                .toList());
        assertThat(large.heard).hasSize(1_001).endsWith("held a");
        assertThat(large.heard.subList(0, 1_000)).noneMatch("held a"::equals);
    }

    private StoredMessage[] rows(int count, String topic, LongFunction<@Nullable String> key) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(seq -> row(1, seq, topic, key.apply(seq)))
                .toArray(StoredMessage[]::new);
    }

    @Test
    void by_messages() {
        HandFedEngine small = new HandFedEngine(settings -> {
            settings.maxInFlight = 2;
            return settings.onlyOneDestination();
        });
        small.owning(List.of(1));
        small.read(rows(4, "t", seq -> null));
        assertThat(small.inMemory()).isEqualTo(2);
    }

    @Test
    void by_bytes() {
        HandFedEngine small = new HandFedEngine(settings -> {
            settings.maxInFlightBytes = 700; // a message of 100 bytes counts as 300
            return settings.onlyOneDestination();
        });
        small.owning(List.of(1));
        small.read(row(1, 1, "t", null), row(1, 2, "t", null), row(1, 3, "t", null), row(1, 4, "t", null));
        assertThat(small.inMemory()).isEqualTo(3);
    }
}
