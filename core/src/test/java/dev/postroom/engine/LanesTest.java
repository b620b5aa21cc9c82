package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only what is in a lane that the relay holds is sent. */
class LanesTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Nested
    @Tag("I5")
    class Trust {
        private void renewed(Duration answerTakes) {
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
            engine.tick(answerTakes);
            engine.answer(
                    Command.Beat.class,
                    new Event.Beaten(List.of(new LaneStore.Lease(1, 1, false, 0, 0)), List.of(), List.of()));
        }

        @Test
        void counts_from_before_the_renewal_was_sent_and_ends_a_sixth_before_the_lease() {
            engine.owning(List.of(1));
            engine.read(row(1, 1, "t", null));
            engine.reserve();
            engine.assertSent("a:1");
            long sent = engine.nanos() + HandFedEngine.LEASE.dividedBy(3).toNanos();
            renewed(Duration.ofSeconds(4));
            engine.read(row(1, 2, "t", null));
            long lease = HandFedEngine.LEASE.toNanos();
            assertThat(engine.take(Command.Send.class).delivery().deadlineNanos())
                    .isEqualTo(sent + lease - lease / 6);
        }

        @Test
        @Tag("R61")
        void in_a_lane_that_was_just_taken_counts_from_before_the_look_that_showed_it() {
            long looked = engine.nanos();
            engine.tick(HandFedEngine.LEASE.dividedBy(4));
            engine.owning(List.of(1));
            engine.read(row(1, 1, "t", null));
            engine.reserve();
            long lease = HandFedEngine.LEASE.toNanos();
            assertThat(engine.take(Command.Send.class).delivery().deadlineNanos())
                    .isEqualTo(looked + lease - lease / 6);
        }

        @Test
        void that_has_ended_keeps_everything_until_the_next_renewal() {
            engine.owning(List.of(1));
            engine.read(row(1, 1, "t", null));
            engine.tick(HandFedEngine.LEASE);
            engine.reserve();
            assertThat(engine.sent()).isEmpty();
            renewed(Duration.ZERO);
            engine.assertSent("a:1");
        }
    }

    @Nested
    @Tag("R35")
    class A_lane_that_is_given_back {
        private final StoredMessage alone = row(63, 1, "t", "x");
        private final StoredMessage first = row(63, 2, "t", "y");
        private final StoredMessage second = row(63, 3, "t", "y");

        @Test
        void sends_nothing_more_and_goes_with_the_last_outcome() {
            engine.owning(HandFedEngine.ONE_MORE_THAN_HALF);
            engine.read(alone, first, second);
            engine.reserve();
            engine.assertSent("a:1", "a:2");
            engine.reply(alone, "a", Outcome.confirmed());
            MessageSettler.Batch slow = engine.settling();
            engine.anotherRelayComes();
            engine.reply(first, "a", Outcome.confirmed());
            assertThat(engine.sent()).isEmpty();
            engine.settled(slow);

            MessageSettler.Batch last = engine.settling();
            assertThat(last.successes()).extracting(MessageSettler.Success::key).containsExactly(first.key());
            assertThat(last.releases()).isEmpty();
            engine.settled(last);
            assertThat(engine.settling().releases())
                    .extracting(LaneStore.Lease::lane)
                    .containsExactly(63);
            assertThat(engine.sent()).isEmpty();
        }
    }

    @Nested
    @Tag("I5")
    class An_expired_lane_of_another_relay {
        private void seen() {
            engine.answer(
                    Command.Beat.class,
                    new Event.Beaten(
                            List.of(), List.of(new LaneStore.Lane(7, "other", 3, "mark", true, 0, 0)), List.of()));
        }

        @Test
        void is_taken_when_nobody_renewed_it_for_a_whole_lease_after_the_answer_that_showed_it() {
            engine.tick(Duration.ofSeconds(9));
            seen();
            engine.tick(Duration.ofMillis(1_500));
            seen();
            assertThat(engine.wants(Command.Acquire.class))
                    .as("a lease after the question")
                    .isFalse();

            engine.tick(Duration.ofMillis(8_500));
            seen();
            assertThat(engine.take(Command.Acquire.class).lanes()).containsExactly(7);
        }
    }

    @Nested
    @Tag("R60")
    class A_number_that_a_foreign_writer_gave {
        @ParameterizedTest
        @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1})
        void keeps_no_other_message_from_being_sent(long highest) {
            engine.owning(List.of(1, 2));
            engine.read(row(1, highest, "t", "k"), row(2, 7, "t", "x"));
            engine.reserve();
            engine.assertSent("a:7", "a:" + highest);
            engine.read(row(2, 8, "t", "y"));
            engine.assertSent("a:8");
        }
    }
}
