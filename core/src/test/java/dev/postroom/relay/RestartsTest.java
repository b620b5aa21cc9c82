package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.engine.Restart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class RestartsTest {
    private static final Duration DELAY = Duration.ofSeconds(30);

    private final Restarts restarts = new Restarts(DELAY, 0);
    private long now;

    /** It has begun anew when this returns. */
    private Restart failure() {
        Restart failure = restarts.note(new AssertionError("a bug"), now);
        restarts.began(now);
        return failure;
    }

    @Test
    void pauses_grow_up_to_a_minute() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            pauses.add(Restarts.pauseAfter(failure()).toSeconds());
        }
        assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    @Test
    void after_a_while_of_health_a_failure_is_the_first_again() {
        failure();
        now += Restart.TOLD_FOR.toNanos() - 1;
        assertThat(failure().times()).isEqualTo(2);
        now += Restart.TOLD_FOR.toNanos();
        assertThat(restarts.recent(now)).isNull();
        assertThat(failure().times()).isEqualTo(1);
    }

    @Test
    @Tag("R61")
    void relay_that_had_been_well_for_the_delay_stays_ripe() {
        for (int i = 0; i < 3; i++) {
            now += DELAY.toNanos();
            assertThat(failure().ripe()).isTrue();
        }
    }

    /** Its lanes are left to their lease each time: in a loop it would deliver nothing, and keep an older version from it. */
    @Test
    @Tag("R61")
    void relay_that_was_ripe_and_fails_in_a_loop_is_ripe_no_more() {
        now = DELAY.toNanos();
        assertThat(failure().ripe()).isTrue();
        now += DELAY.toNanos() - 1;
        assertThat(failure().ripe()).isFalse();
    }

    @Test
    @Tag("R61")
    void relay_that_fails_before_begins_anew_each_time() {
        for (int i = 0; i < 4; i++) {
            now += DELAY.toNanos() - 1;
            assertThat(failure().ripe()).isFalse();
        }
    }

    /** The longest of the pauses between are longer than the delay. */
    @Test
    @Tag("R61")
    void time_between_two_starts_is_none_in_which_it_was_well() {
        for (int i = 0; i < 9; i++) {
            Restart restart = restarts.note(new AssertionError("a bug"), now);
            assertThat(restart.ripe()).isFalse();
            now += Restarts.pauseAfter(restart).toNanos();
            assertThat(restarts.note(new AssertionError("no thread"), now).ripe())
                    .as("it could not begin")
                    .isFalse();
            restarts.began(now);
        }
    }

    @Test
    void latest_failure_is_told_with_its_class_and_age() {
        failure();
        now += Duration.ofSeconds(3).toNanos();
        Restart restart = restarts.recent(now);
        assertThat(restart).isNotNull();
        assertThat(restart.why()).isEqualTo("java.lang.AssertionError: a bug");
        assertThat(restart.secondsAgo(now)).isEqualTo(3);
    }
}
