package dev.postroom.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When what is held may be tried. The first pause is a second. */
@Tag("R26")
class BreakerTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Outcome.Failed DOWN = (Outcome.Failed) Outcome.unavailable("connection refused");

    private final Breaker breaker = new Breaker(Duration.ofSeconds(1), () -> 0);

    private void failsEverything() {
        breaker.openForFailing((Outcome.Failed) Outcome.failed(FailureReason.UNKNOWN, "500"), "it fails everything", 0);
    }

    @Test
    void a_round_is_eight_messages_where_everything_fails() {
        failsEverything();
        for (int tried = 1; tried <= 8; tried++) {
            assertThat(breaker.isInRound()).isEqualTo(tried > 1);
            breaker.probeSent();
        }
        assertThat(breaker.isInRound()).isFalse();
    }

    @Test
    void a_destination_that_is_down_is_tried_with_one() {
        breaker.open(DOWN, false, 0);
        breaker.probeSent();
        assertThat(breaker.isInRound()).isFalse();
    }

    @Test
    void an_outage_after_one_in_which_everything_failed_is_an_outage_and_nothing_more() {
        failsEverything();
        breaker.close();
        breaker.open(DOWN, false, 0);
        assertThat(breaker.isFailing()).isFalse();
        assertThat(breaker.why()).isEqualTo("connection refused");
    }

    @Test
    void what_was_to_be_tried_at_once_waits_when_it_is_held_again() {
        breaker.open(DOWN, false, 0);
        breaker.tryAtOnce();
        assertThat(breaker.mayProbe(0)).isTrue();
        breaker.close();
        breaker.open(DOWN, false, 0);
        assertThat(breaker.mayProbe(0)).isFalse();
    }

    @Test
    void what_is_tried_at_once_is_tried_once() {
        breaker.open(DOWN, false, 0);
        breaker.tryAtOnce();
        breaker.probeSent();
        assertThat(breaker.mayProbe(0)).isFalse();
    }

    @Test
    void what_flows_when_it_is_to_be_tried_at_once_waits_when_it_is_held_later() {
        breaker.tryAtOnce();
        breaker.open(DOWN, false, 0);
        assertThat(breaker.mayProbe(0)).isFalse();
    }

    @Test
    void what_was_on_the_wire_when_it_was_held_puts_off_the_first_try_only_if_it_was_asked_to() {
        breaker.open(DOWN, false, 0);
        breaker.open(DOWN, false, SECOND / 2);
        assertThat(breaker.mayProbe(SECOND)).isTrue();

        breaker.open(
                new Outcome.Failed(
                        FailureReason.TRANSPORT_UNAVAILABLE, "503", Outcome.Scope.DESTINATION, Duration.ofSeconds(10)),
                false,
                SECOND);
        assertThat(breaker.mayProbe(10 * SECOND)).isFalse();
        assertThat(breaker.mayProbe(11 * SECOND)).isTrue();
    }
}
