package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static dev.postroom.engine.HandFedEngine.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Another server takes over, and knows of rows that had left on the server before: from when that is known, they go first. */
@Tag("I3")
@Tag("R22")
class FailoversTest {
    private final HandFedEngine engine = new HandFedEngine().owning(List.of(1));
    private final StoredMessage back = row(1, 2, "t", "k");
    private final StoredMessage first = row(1, 5, "t", "k");
    private final StoredMessage second = row(1, 7, "t", "k");

    private void failOver(StoredMessage cameBack) {
        engine.put(cameBack);
        engine.await(Command.Follow.class);
        engine.answer(Command.Follow.class, new Event.Followed(new PageAnswer.Restart()));
    }

    private void waitsBehind(StoredMessage... messages) {
        engine.read(messages);
        engine.reserve();
        engine.assertSent("a:5");
    }

    @Test
    void what_was_not_sent_does_not_go_before_what_came_back() {
        waitsBehind(first, second);
        failOver(back);
        engine.reply(first, "a", Outcome.confirmed());
        assertThat(engine.sent()).isEmpty();

        engine.answerReads();
        engine.reserve();
        engine.assertSent("a:2");
        engine.reply(back, "a", Outcome.confirmed());
        engine.assertSent("a:7");
    }

    @Test
    void what_comes_back_unsent_waits_for_one_that_waits_for_another_try() {
        waitsBehind(first);
        StoredMessage.Progress failed = new StoredMessage.Progress(RowState.WAITING, 1, 0, 0, false, null, 1);
        failOver(with(back, failed, Instant.EPOCH.plusSeconds(60)));
        engine.answerReads();
        engine.reply(first, "a", Outcome.notSent("too late"));
        engine.answerReads();
        assertThat(engine.sent()).isEmpty();
    }

    @Test
    void what_has_failed_and_is_not_recorded_holds_its_stream() {
        waitsBehind(first, second);
        engine.reply(first, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
        failOver(row(1, 9, "t", null));
        engine.answerReads();
        engine.reserve();
        engine.assertSent("a:9");
        engine.settled(engine.settling());
        engine.answerReads();
        assertThat(engine.sent()).isEmpty();
    }
}
