package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.LaneStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay that cannot read says so and why, for as long as it cannot. */
@Tag("R51")
@Tag("R60")
class ReadTroubleTest {
    private static final Duration BEAT = HandFedEngine.LEASE.dividedBy(3);

    private final HandFedEngine engine = new HandFedEngine();

    private String details() {
        engine.tick(BEAT);
        Command.Beat beat = engine.take(Command.Beat.class);
        engine.tell(new Event.Beaten(List.of(new LaneStore.Lease(1, 1, false, 0, 0)), List.of(), List.of()));
        return beat.report().details();
    }

    private <C extends Command.ForReader> void fail(Class<C> question) {
        engine.await(question);
        engine.answer(question, new Event.ReaderFailed("permission denied for sequence postroom_seq"));
    }

    @Test
    void what_the_database_refuses_is_told_with_its_words_until_it_answers() {
        engine.owning(List.of(1));
        fail(Command.Follow.class);
        fail(Command.Follow.class);
        assertThat(details())
                .contains("\"trouble\":\"permission denied for sequence postroom_seq\"")
                .doesNotContain("\"reading\":{\"troubleSeconds\":0.000");
        engine.read();
        assertThat(details()).contains("\"reading\":{\"troubleSeconds\":0.000,\"trouble\":\"\"}");
    }

    @Test
    void answer_to_one_question_does_not_hide_that_another_fails() {
        engine.owning(List.of(1));
        fail(Command.ReadPauses.class);
        engine.read();
        assertThat(details()).contains("\"trouble\":\"permission denied");
    }
}
