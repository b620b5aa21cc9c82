package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.util.List;
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
        assertThat(details()).contains("\\u0001").hasSizeLessThan(LONGEST_THAT_FITS);
    }

    @Test
    void restart_is_told_for_as_long_as_it_is_recent() {
        engine.succeeds(new Restart(2, "a bug", engine.nanos()));
        details(); // decided before
        assertThat(details()).contains("\"restart\":{\"times\":2,\"secondsAgo\":10.000,\"why\":\"a bug\"}");
        engine.tick(Restart.TOLD_FOR);
        details();
        assertThat(details()).doesNotContain("restart");
    }
}
