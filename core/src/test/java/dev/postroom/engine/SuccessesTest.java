package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is recorded of messages that were delivered, whoever owns their lane by now. */
class SuccessesTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Nested
    class What_others_settled {
        @Test
        @Tag("R52")
        void is_told_as_duplicates_and_as_overtaken() {
            engine.owning(List.of(1));
            StoredMessage good = row(1, 1, "t", null);
            StoredMessage bad = row(1, 2, "t", null);
            engine.read(good, bad);
            engine.reserve();
            engine.assertSent("a:1", "a:2");
            engine.reply(good, "a", Outcome.confirmed());
            engine.reply(bad, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            engine.settling();
            engine.tell(new Event.BatchSettled(
                    new MessageSettler.Settled(0, Set.of(bad.key().id()))));
            assertThat(engine.heard).containsExactly("duplicates 1", "overtaken 1");
        }

        @Test
        @Tag("I6")
        void success_of_a_lane_that_was_lost_is_recorded_once() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
            engine.reply(row, "a", Outcome.confirmed());
            MessageSettler.Batch batch = engine.settling();
            assertThat(batch.successes()).containsExactly(new MessageSettler.Success(row.key(), 1, 1));
            engine.settled(batch);
            engine.tick(Duration.ofSeconds(1));
            assertThat(engine.wants(Command.Settle.class)).as("recorded again").isFalse();
        }

        @Test
        @Tag("R20")
        void failure_of_a_lane_that_was_lost_is_no_success() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            engine.tick(Duration.ofSeconds(1));
            assertThat(engine.wants(Command.Settle.class)).isFalse();
        }

        @Test
        @Tag("R29")
        void failure_that_came_too_late_keeps_what_another_destination_confirmed() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "b", Outcome.confirmed());
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            engine.settled(engine.settling(), row.key().id());
            assertThat(engine.settling().successes())
                    .containsExactly(new MessageSettler.Success(row.key(), 0b10, 0b11));
        }
    }

    @Test
    @Tag("R34")
    void what_is_not_to_be_kept_is_not_archived() {
        HandFedEngine forgetful = new HandFedEngine(settings -> {
            settings.archive = false;
            return settings;
        });
        forgetful.owning(List.of(1));
        StoredMessage row = row(1, 1, "t", null);
        forgetful.read(row);
        forgetful.reserve();
        forgetful.assertSent("a:1");
        forgetful.reply(row, "a", Outcome.confirmed());
        assertThat(forgetful.settling().archive()).isFalse();
    }

    @Nested
    @Tag("I1")
    @Tag("I10")
    class What_a_server_recorded_that_another_one_has_replaced {
        private final StoredMessage row = row(1, 1, "t", "k");

        private MessageSettler.Batch recordedBeforeTheFailover() {
            engine.owning(List.of(1));
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.confirmed());
            MessageSettler.Batch batch = engine.settling();
            engine.failover();
            engine.answerReads();
            engine.tell(new Event.BatchSettled(new MessageSettler.Settled(1, Set.of())));
            return batch;
        }

        @Test
        void is_recorded_again_and_not_sent_again() {
            MessageSettler.Batch batch = recordedBeforeTheFailover();
            assertThat(engine.settling()).isEqualTo(batch);
            assertThat(engine.inMemory()).isEqualTo(1);
            engine.settled(batch);
            engine.answerReads();
            assertThat(engine.inMemory()).isZero();
            assertThat(engine.sent()).isEmpty();
        }

        @Test
        void is_recorded_again_for_each_server_that_follows() {
            MessageSettler.Batch batch = recordedBeforeTheFailover();
            engine.settling();
            engine.failover();
            engine.tell(new Event.BatchSettled(new MessageSettler.Settled(1, Set.of())));
            assertThat(engine.settling()).isEqualTo(batch);
        }
    }
}
