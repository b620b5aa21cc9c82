package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A destination is given no more than its transport takes. */
@Tag("R38")
class CreditTest {
    private final Purse purse = new Purse();
    private final HandFedEngine engine = new HandFedEngine(settings -> {
        settings.credit = purse;
        return settings;
    });

    /** Holds what the test puts into it. */
    private static final class Purse implements Credit {
        int left = 2;
        long next = Long.MAX_VALUE;

        @Override
        public boolean isLeft(long now) {
            return left > 0;
        }

        @Override
        public void take(long now) {
            left--;
        }

        @Override
        public long next() {
            return next;
        }
    }

    @BeforeEach
    void begin() {
        engine.owning(List.of(1));
    }

    @Test
    void the_rest_goes_when_there_is_credit_again() {
        engine.read(row(1, 1, "t", null), row(1, 2, "t", null), row(1, 3, "t", null));
        engine.reserve();
        engine.assertSent("a:1", "a:2");
        assertThat(purse.left).isZero();

        purse.left = 1;
        engine.tick(Duration.ZERO);
        engine.assertSent("a:3");
    }

    @Test
    void the_engine_wants_to_be_asked_again_when_time_brings_credit() {
        engine.read(row(1, 1, "t", null), row(1, 2, "t", null), row(1, 3, "t", null));
        engine.reserve();
        purse.next = engine.nanos() + 1_000;
        engine.tick(Duration.ZERO);
        assertThat(engine.nextTurn()).isEqualTo(purse.next);
    }

    @Test
    void a_destination_that_is_held_is_tried_when_there_is_credit() {
        isTriedWithCreditOnly(Outcome.unavailable("connection refused"));
    }

    @Test
    void a_topic_that_is_held_is_tried_when_there_is_credit() {
        isTriedWithCreditOnly(Outcome.topicUnavailable("no such queue"));
    }

    private void isTriedWithCreditOnly(Outcome held) {
        StoredMessage row = row(1, 1, "t", null);
        engine.read(row);
        engine.reserve();
        engine.assertSent("a:1");
        engine.reply(row, "a", held);
        purse.left = 0;
        for (int second = 0; second < 6; second++) {
            engine.tick(Duration.ofSeconds(1));
            engine.renew(1);
        }
        assertThat(engine.sent()).isEmpty();

        purse.left = 1;
        engine.tick(Duration.ZERO);
        engine.assertSent("a:1");
    }
}
