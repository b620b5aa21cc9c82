package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.LaneStore.LiveNode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R61")
class InForceTest {
    private static final int DELAY = 30;
    private static final Instant LONG_AGO = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant LATELY = LONG_AGO.plusSeconds(86_400);

    private static LiveNode old(int seconds) {
        return new LiveNode("old relay", "host", 0, "old", LONG_AGO, seconds >= DELAY);
    }

    private static LiveNode recent(int seconds) {
        return new LiveNode("new relay", "host", 0, "new", LATELY, seconds >= DELAY);
    }

    private static @Nullable String among(LiveNode... nodes) {
        LiveNode inForce = InForce.among(List.of(nodes));
        return inForce == null ? null : inForce.routing();
    }

    @Test
    void newest_routing_is_in_force_once_a_relay_with_it_has_lived_for_the_delay() {
        assertThat(among(old(3_600), recent(29))).isEqualTo("old");
        assertThat(among(old(3_600), recent(30))).isEqualTo("new");
        assertThat(among(old(3_600), recent(5), recent(31))).isEqualTo("new");
    }

    @Test
    void a_version_that_crashes_at_its_start_again_and_again_never_takes_over() {
        for (int age = 0; age < 30; age++) {
            assertThat(among(recent(age), recent(age / 2), old(40))).isEqualTo("old");
        }
    }

    @Test
    void the_only_routing_is_in_force_at_once() {
        assertThat(among(recent(0))).isEqualTo("new");
        assertThat(among(old(0))).isEqualTo("old");
        assertThat(among(old(0), old(0))).isEqualTo("old");
    }

    @Test
    void an_old_version_that_restarts_stays_old() {
        assertThat(among(old(0), recent(100))).isEqualTo("new");
        assertThat(among(old(100), recent(100))).isEqualTo("new");
    }

    @Test
    void nobody_waits_when_all_have_just_begun() {
        assertThat(among(old(3), recent(20))).isEqualTo("old");
        assertThat(among(old(29), recent(30))).isEqualTo("new");
    }

    @Test
    void a_clock_that_was_set_back_leaves_one_in_force() {
        assertThat(among(old(-3_600), recent(-3_600))).isEqualTo("old");
        assertThat(among(old(100), recent(-3_600))).isEqualTo("old");
    }

    @Test
    void of_two_that_were_first_seen_at_the_same_instant_everybody_chooses_the_same() {
        LiveNode a = new LiveNode("x", "host", 0, "a", LATELY, true);
        LiveNode b = new LiveNode("y", "host", 0, "b", LATELY, true);
        assertThat(among(a, b)).isEqualTo(Objects.requireNonNull(among(b, a)));
    }

    @Test
    void who_tells_no_routing_does_not_count() {
        LiveNode silent = new LiveNode("x", "host", 0, "", LATELY.plusSeconds(1), true);
        assertThat(among(silent)).isNull();
        assertThat(among(silent, old(0))).isEqualTo("old");
    }
}
