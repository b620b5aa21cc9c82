package dev.postroom.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R24")
class RetryPolicyTest {
    private static final double MIDDLE = 0.5;

    private static List<Long> seconds(String preset, int failures) {
        RetryPolicy policy = RetryPolicy.preset(preset);
        return IntStream.rangeClosed(1, failures)
                .mapToObj(n -> policy.delay(n, MIDDLE).toSeconds())
                .toList();
    }

    @Test
    void delays_grow_from_the_base_by_the_multiplier_up_to_the_cap() {
        assertThat(seconds("quick", 5)).containsExactly(2L, 4L, 8L, 16L, 32L);
        assertThat(seconds("patient", 8)).containsExactly(60L, 120L, 240L, 480L, 960L, 1920L, 3600L, 3600L);
        assertThat(seconds("fixed", 3)).containsExactly(10L, 10L, 10L);
        assertThat(seconds("jittered", 3)).containsExactly(10L, 20L, 40L);
        assertThat(RetryPolicy.DEFAULT.delay(9, MIDDLE)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void the_hundredth_and_the_last_possible_failure_do_not_overflow() {
        assertThat(RetryPolicy.DEFAULT.delay(100, MIDDLE)).isEqualTo(Duration.ofMinutes(5));
        assertThat(RetryPolicy.DEFAULT.delay(Integer.MAX_VALUE, MIDDLE)).isEqualTo(Duration.ofMinutes(5));
        assertThat(new RetryPolicy(Duration.ofDays(365), 100, Duration.ofDays(365), 1, 5).delay(1_000, 1))
                .isEqualTo(Duration.ofDays(730));
    }

    @Test
    void jitter_spreads_in_both_directions() {
        RetryPolicy policy = RetryPolicy.preset("jittered");
        assertThat(policy.delay(1, 0)).isEqualTo(Duration.ofSeconds(8));
        assertThat(policy.delay(1, 1)).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void attempts_end_at_their_maximum() {
        RetryPolicy fixed = RetryPolicy.preset("fixed");
        assertThat(fixed.allowsAfter(2)).isTrue();
        assertThat(fixed.allowsAfter(3)).isFalse();
        assertThat(List.of("quick", "patient", "fixed", "jittered", "default").stream()
                        .map(name -> RetryPolicy.preset(name).maxAttempts()))
                .containsExactly(5, 10, 3, 5, 10);
    }

    @Test
    void what_makes_no_sense_is_refused_with_the_setting_to_change() {
        assertThatThrownBy(() -> RetryPolicy.preset("fast"))
                .isInstanceOf(PostroomException.class)
                .hasMessage("no retry preset is called 'fast': use one of default, fixed, jittered, patient, quick");
        assertThatThrownBy(() -> new RetryPolicy(Duration.ofHours(1), 2, Duration.ofMinutes(1), 0, 3))
                .hasMessageContaining("postroom.retry.base");
        assertThatThrownBy(() -> new RetryPolicy(Duration.ZERO, Double.NaN, Duration.ofMinutes(1), 0, 3))
                .hasMessageContaining("postroom.retry.multiplier");
        assertThatThrownBy(() -> new RetryPolicy(Duration.ZERO, 2, Duration.ofMinutes(1), 1.5, 3))
                .hasMessageContaining("postroom.retry.jitter");
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.maxAttempts(0)).hasMessageContaining("max-attempts");
    }
}
