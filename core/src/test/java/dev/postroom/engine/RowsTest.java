package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.delayed;
import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows that are not like others: replayed, broken, delayed. */
class RowsTest {
    private final HandFedEngine engine = new HandFedEngine();

    @Nested
    class A_row {
        @Test
        @Tag("R37")
        void that_is_replayed_goes_to_its_destination_only() {
            engine.owning(List.of(1));
            engine.read(row(1, 1, "both", "k", new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, "b", 0)));
            engine.reserve();
            engine.assertSent("b:1");
        }

        @Test
        void that_can_never_be_sent_is_dead_at_once() {
            engine.owning(List.of(1));
            StoredMessage row = row(1, 1, "t", "k");
            engine.read(new StoredMessage(
                    row.key(),
                    row.stream(),
                    row.content(),
                    row.progress(),
                    row.createdAt(),
                    null,
                    "the headers are no JSON"));
            assertThat(engine.sent()).isEmpty();
            MessageSettler.Failure failure = engine.settling().failures().get(0);
            assertThat(failure.retryAfter()).isNull();
            assertThat(failure.cause())
                    .isEqualTo(new MessageSettler.Cause(FailureReason.SERIALIZATION, "the headers are no JSON", null));
        }

        @Test
        @Tag("R10")
        @Tag("I9")
        void is_never_asked_for_with_more_payload_headers_or_bytes_than_allowed() {
            engine.owning(List.of(1));
            engine.await(Command.Follow.class);
            ReadBounds asked = engine.take(Command.Follow.class).request().bounds();
            assertThat(asked.row()).isEqualTo(new RowLimits(1_000, 10, 500));
            assertThat(asked.bytes()).isLessThanOrEqualTo(1_000_000);
        }
    }

    @Nested
    class A_delayed_row {
        @Test
        @Tag("R22")
        void that_is_due_waits_for_what_committed_late_before_it_in_its_stream() {
            engine.owning(List.of(1));
            engine.read(row(1, 9, "u", null));
            engine.reserve();
            engine.assertSent("a:9");
            StoredMessage late = row(1, 7, "t", "k");
            engine.due(delayed(8), late);
            engine.reserve();
            engine.assertSent("a:7");
            engine.reply(late, "a", Outcome.confirmed());
            engine.assertSent("a:8");
        }

        @Test
        @Tag("R31")
        void is_found_also_after_the_databases_clock_was_set_back() {
            engine.owning(List.of(1));
            engine.read(row(1, 9, "u", null));
            engine.due(delayed(8));
            assertThat(engine.due()).extracting(PageRequest.DuePosition::seq).containsExactly(8L);
            for (int seconds = 0; seconds < 30; seconds++) {
                engine.tick(Duration.ofSeconds(1));
                engine.renew(1);
            }
            assertThat(engine.due()).as("from the beginning").containsExactly(PageRequest.DuePosition.beginning(1));
        }
    }
}
