package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.policy.Route;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is recorded of a message that failed. */
class FailuresTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Nested
    class A_failure {
        @Test
        @Tag("R29")
        void says_what_other_destinations_confirmed_in_the_same_attempt() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "b", Outcome.confirmed());
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.confirmed()).isEqualTo(0b10);
            assertThat(failure.attempts()).isEqualTo(1);
            assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        }

        @Test
        @Tag("R25")
        void that_is_permanent_decides_among_several() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "both", "k");
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1", "b:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.HANDLER_EXCEPTION, "not yet"));
            engine.reply(row, "b", Outcome.failed(FailureReason.VALIDATION_FAILURE, "never"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.cause())
                    .isEqualTo(new MessageSettler.Cause(FailureReason.VALIDATION_FAILURE, "never", "b"));
            assertThat(failure.retryAfter()).isNull();
        }

        @Test
        @Tag("R25")
        void that_is_permanent_in_the_last_attempt_keeps_its_reason() {
            engine.owning(List.of(1));
            StoredMessage row =
                    row(1, 1, "t", null, new StoredMessage.Progress(RowState.READY, 2, 0, 0, false, null, 4));
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.VALIDATION_FAILURE, "never"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.cause().reason()).isEqualTo(FailureReason.VALIDATION_FAILURE);
            assertThat(failure.cause().error()).isEqualTo("never");
            assertThat(failure.attempts()).isEqualTo(3);
            assertThat(failure.version()).isEqualTo(4);
        }

        @Test
        @Tag("R24")
        void that_is_the_last_is_poison_and_names_what_it_was() {
            engine.owning(List.of(1));
            StoredMessage row =
                    row(1, 1, "t", null, new StoredMessage.Progress(RowState.READY, 2, 0, 0, false, null, 0));
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.failed(FailureReason.DEPENDENCY_FAILURE, "no stock"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.cause())
                    .isEqualTo(new MessageSettler.Cause(FailureReason.POISON, "DEPENDENCY_FAILURE: no stock", "a"));
            assertThat(failure.retryAfter()).isNull();
        }
    }

    @Nested
    @Tag("R26")
    class A_failure_where_everything_fails {
        private final HandFedEngine engine = new HandFedEngine(settings -> {
            settings.failuresInARow = 5;
            return settings;
        });

        private int attempts = 2;

        private MessageSettler.Batch three() {
            StoredMessage[] rows = {
                row(1, 1, "t", null),
                row(1, 2, "u", null),
                row(1, 3, "t", null, new StoredMessage.Progress(RowState.READY, attempts, 0, 0, false, null, 0))
            };
            engine.owning(List.of(1));
            engine.read(rows);
            engine.reserve();
            engine.assertSent("a:1", "a:2", "a:3");
            engine.reply(rows[0], "a", Outcome.failed(FailureReason.UNKNOWN, "500"));
            engine.reply(rows[1], "a", Outcome.failed(FailureReason.UNKNOWN, "500"));
            engine.reply(rows[2], "a", Outcome.failed(FailureReason.UNKNOWN, "500"));
            return engine.settling();
        }

        @Test
        void is_not_the_last_and_is_tried_again_as_late_as_if_it_had_counted() {
            MessageSettler.Failure failure = three().failures().get(2);
            assertThat(failure.attempts()).isEqualTo(2);
            assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(4));
            assertThat(failure.cause().reason()).isEqualTo(FailureReason.UNKNOWN);
        }

        @Test
        void is_no_poison_although_the_message_has_more_attempts_than_it_may_have_by_now() {
            attempts = 7;
            MessageSettler.Failure failure = three().failures().get(2);
            assertThat(failure.attempts()).isEqualTo(7);
            assertThat(failure.retryAfter()).isNotNull();
            assertThat(failure.cause().reason()).isEqualTo(FailureReason.UNKNOWN);
        }

        @Test
        void kills_nothing_that_is_tried_while_it_is_held_whatever_it_says() {
            engine.settled(three());
            StoredMessage probe = row(1, 4, "t", null);
            engine.read(probe);
            engine.secondsUntilSent();
            assertThat(engine.lastSent).contains("a:4");
            engine.reply(probe, "a", Outcome.failed(FailureReason.VALIDATION_FAILURE, "422"));
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.key()).isEqualTo(probe.key());
            assertThat(failure.attempts()).isZero();
            assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        }
    }

    @Nested
    class Recording_that_failed {
        @Test
        @Tag("R23")
        void is_tried_again_as_it_was_and_not_at_once() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", null);
            engine.read(row);
            engine.reserve();
            engine.assertSent("a:1");
            engine.reply(row, "a", Outcome.confirmed());
            MessageSettler.Batch batch = engine.settling();
            engine.tell(new Event.SettlerFailed("connection refused"));
            engine.tick(Duration.ofMillis(19));
            assertThat(engine.wants(Command.Settle.class)).isFalse();
            engine.tick(Duration.ofMillis(1));
            assertThat(engine.take(Command.Settle.class).batch()).isEqualTo(batch);
            engine.tell(new Event.SettlerFailed("connection refused"));
            engine.tick(Duration.ofMillis(39));
            assertThat(engine.wants(Command.Settle.class)).isFalse();
            engine.tick(Duration.ofMillis(1));
            assertThat(engine.take(Command.Settle.class).batch()).isEqualTo(batch);
        }
    }

    /** An hour is what its route gives it; a broken connection counts like a timeout. */
    @Nested
    @Tag("R26")
    class A_message_that_is_never_answered {
        private final HandFedEngine engine = new HandFedEngine(settings -> {
            settings.routes =
                    List.of(Route.of("for-ever", "a"), Route.of("**", "a").expireAfter(Duration.ofHours(1)));
            return settings;
        });

        /** Each try ends without an answer, for so long. Whether anything came of it. */
        private boolean staysUnansweredFor(Duration time, StoredMessage... rows) {
            long until = engine.nanos() + time.toNanos();
            while (engine.nanos() < until && !engine.wants(Command.Settle.class)) {
                for (String sent : engine.sent()) {
                    StoredMessage row = Arrays.stream(rows)
                            .filter(one -> sent.equals("a:" + one.key().seq()))
                            .findFirst()
                            .orElseThrow();
                    engine.reply(row, "a", Outcome.failed(FailureReason.TIMEOUT, "no answer in time"));
                }
                engine.tick(Duration.ofSeconds(1));
                engine.renew(1);
                engine.answerReads();
                engine.reserve();
            }
            return engine.wants(Command.Settle.class);
        }

        private StoredMessage[] sent(StoredMessage... rows) {
            engine.owning(List.of(1));
            engine.read(rows);
            engine.reserve();
            return rows;
        }

        @Test
        void is_given_up_after_the_time_of_its_route_and_says_so() {
            StoredMessage[] lone = sent(row(1, 1, "t", "k"), row(1, 2, "t", "k"));
            assertThat(staysUnansweredFor(Duration.ofMinutes(59), lone)).isFalse();
            assertThat(staysUnansweredFor(Duration.ofMinutes(2), lone)).isTrue();
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.key()).isEqualTo(lone[0].key());
            assertThat(failure.retryAfter()).isNull();
            assertThat(failure.cause())
                    .isEqualTo(new MessageSettler.Cause(
                            FailureReason.TIMEOUT,
                            "never answered within 3600 s (expire-after), the last: no answer in time",
                            "a"));
        }

        @Test
        void is_tried_for_ever_by_default() {
            assertThat(staysUnansweredFor(Duration.ofHours(24), sent(row(1, 1, "for-ever", "k"))))
                    .isFalse();
        }

        @Test
        @Tag("I4")
        void is_not_given_up_where_three_streams_are_not_answered() {
            assertThat(staysUnansweredFor(
                            Duration.ofHours(24), sent(row(1, 1, "t", "k"), row(1, 2, "t", "l"), row(1, 3, "t", null))))
                    .isFalse();
        }

        @Test
        void has_its_time_counted_anew_after_something_was_confirmed_there() {
            StoredMessage[] lone = sent(row(1, 1, "t", "k"));
            assertThat(staysUnansweredFor(Duration.ofMinutes(50), lone)).isFalse();
            StoredMessage other = row(1, 2, "t", "l");
            engine.read(other);
            List<String> sent = engine.sent();
            while (!sent.contains("a:2")) {
                if (sent.contains("a:1")) {
                    engine.reply(lone[0], "a", Outcome.failed(FailureReason.TIMEOUT, "no answer in time"));
                }
                engine.tick(Duration.ofSeconds(1));
                engine.renew(1);
                sent = engine.sent();
            }
            engine.reply(other, "a", Outcome.confirmed());
            engine.settled(engine.settling());
            boolean settled = staysUnansweredFor(Duration.ofMinutes(50), lone);
            assertThat(settled).as("the next one spends an attempt").isTrue();
            assertThat(engine.settling().failures().get(0).retryAfter()).isNotNull();
        }

        @Test
        void keeps_its_reason_in_its_last_attempt() {
            StoredMessage[] lone =
                    sent(row(1, 1, "t", "k", new StoredMessage.Progress(RowState.READY, 2, 0, 0, false, null, 0)));
            assertThat(staysUnansweredFor(Duration.ofMinutes(62), lone)).isTrue();
            assertThat(engine.settling().failures().get(0).cause().reason()).isEqualTo(FailureReason.TIMEOUT);
        }
    }
}
