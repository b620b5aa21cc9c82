package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.operations.Pause;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages that may have killed the relay before this one. */
class CrashesTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Nested
    @Tag("R30")
    class A_message_that_was_on_its_way_when_a_relay_died {
        private StoredMessage crashed(int times) {
            engine.answer(Command.ReadPauses.class, new Event.PausesRead(Pauses.NONE));
            engine.acquire(List.of(new LaneStore.Lease(1, 7, true, 5, 9)));
            StoredMessage row =
                    row(1, 5, "t", "k", new StoredMessage.Progress(RowState.READY, 1, times, 0, false, null, 2));
            engine.read(row);
            engine.reserve();
            return row;
        }

        @Test
        void is_counted_before_it_is_sent() {
            StoredMessage row = crashed(2);
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.sent()).isEmpty();
            assertThat(engine.take(Command.Suspect.class).suspects())
                    .containsExactly(new MessageSettler.Suspect(row.key(), 2, 7, 3));
            engine.tell(new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5");
        }

        /** Or the next one would not know of this crash. */
        @Test
        void is_counted_again_if_another_server_has_replaced_the_one_that_counted() {
            StoredMessage row = crashed(2);
            engine.tick(Duration.ofMillis(5));
            Command.Suspect counted = engine.take(Command.Suspect.class);
            engine.failover();
            engine.tell(new Event.Suspected(Set.of(row.key().id())));
            assertThat(engine.sent()).isEmpty();
            assertThat(engine.take(Command.Suspect.class)).isEqualTo(counted);
        }

        /** The answer was lost when its count was taken back: what it is now comes with the next read. */
        @Test
        void is_counted_again_for_another_destination_after_its_count_was_taken_back() {
            engine.answer(Command.ReadPauses.class, new Event.PausesRead(Pauses.NONE));
            engine.pausesAre(List.of(new Pause(Pause.Target.destination("b"), Instant.EPOCH, "o", "r")));
            engine.acquire(List.of(new LaneStore.Lease(1, 7, true, 5, 9)));
            StoredMessage row = row(1, 5, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.tick(Duration.ofMillis(5));
            engine.answer(
                    Command.Suspect.class, new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5");
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.take(Command.Suspect.class).suspects())
                    .extracting(MessageSettler.Suspect::crashes)
                    .containsExactly(0);
            engine.tell(new Event.SettlerFailed("the answer was lost", false));
            engine.tick(Duration.ofSeconds(1));
            engine.answer(Command.Suspect.class, new Event.Suspected(Set.of()));
            engine.take(Command.Settle.class);

            engine.put(
                    HandFedEngine.with(row, new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, null, 2), null));
            engine.pausesAre(List.of());
            engine.await(Command.Follow.class);
            engine.answerReads();
            assertThat(engine.sent()).isEmpty();
            engine.tell(new Event.BatchSettled(
                    new MessageSettler.Settled(0, Set.of(row.key().id()))));
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.take(Command.Suspect.class).suspects())
                    .containsExactly(new MessageSettler.Suspect(row.key(), 2, 7, 1));
        }

        @Test
        void is_dead_at_the_limit_without_another_try_and_spends_no_attempt() {
            StoredMessage row = crashed(3);
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(engine.sent()).isEmpty();
            assertThat(failure.key()).isEqualTo(row.key());
            assertThat(failure.attempts()).isEqualTo(1);
            assertThat(failure.retryAfter()).isNull();
            assertThat(failure.cause().reason()).isEqualTo(FailureReason.POISON);
            assertThat(failure.cause().error()).contains("3 times");
        }

        @Test
        void has_its_count_back_when_it_was_tried_and_did_no_harm() {
            StoredMessage row = crashed(1);
            engine.tick(Duration.ofMillis(5));
            engine.answer(
                    Command.Suspect.class, new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5");
            engine.reply(row, "a", Outcome.unavailable("connection refused"));
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.take(Command.Suspect.class).suspects())
                    .containsExactly(new MessageSettler.Suspect(row.key(), 3, 7, 1));
        }

        /** Found on a real server: kill -9 again and again while a receiver answers 500, and what was answered long before the kill dies. */
        @Test
        void has_its_count_back_when_its_destination_answered_that_it_failed() {
            StoredMessage row = crashed(1);
            engine.tick(Duration.ofMillis(5));
            engine.answer(
                    Command.Suspect.class, new Event.Suspected(Set.of(row.key().id())));
            engine.assertSent("a:5");
            engine.reply(
                    row,
                    "a",
                    new Outcome.Failed(FailureReason.DEPENDENCY_FAILURE, "answered 500", Outcome.Scope.MESSAGE));
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.answer(
                                    Command.Suspect.class,
                                    new Event.Suspected(Set.of(row.key().id())))
                            .suspects())
                    .as("it was answered, so it killed nobody")
                    .extracting(MessageSettler.Suspect::crashes)
                    .containsExactly(row.progress().crashes());
            engine.tick(Duration.ofMillis(5));
            assertThat(engine.settling().failures())
                    .as("then its failure is recorded, over the version that this gave it")
                    .extracting(MessageSettler.Failure::version)
                    .containsExactly(row.progress().version() + 2);
        }
    }
}
