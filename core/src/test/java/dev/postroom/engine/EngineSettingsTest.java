package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.spi.RowLimits;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EngineSettingsTest {
    private static EngineSettings settings(Duration lease, Duration routingDelay) {
        return new EngineSettings(
                "me",
                "host",
                "1",
                lease,
                10,
                Duration.ofMillis(5),
                Duration.ofMillis(50),
                10,
                1_000,
                RowLimits.ofPayload(1_000),
                3,
                100,
                false,
                routingDelay,
                destination -> new BreakerSettings(Duration.ofSeconds(1), 20),
                EngineBounds.DEFAULT);
    }

    @Test
    @Tag("R61")
    void routing_delay_is_three_leases_at_least_and_whoever_sets_less_is_told_both_settings() {
        Duration lease = Duration.ofSeconds(10);
        assertThat(settings(lease, Duration.ofSeconds(30)).routingDelay()).hasSeconds(30);
        for (Duration tooShort : new Duration[] {Duration.ofSeconds(-1), Duration.ZERO, Duration.ofMillis(29_999)}) {
            assertThatThrownBy(() -> settings(lease, tooShort))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContainingAll(
                            "3 leases",
                            "PT30S",
                            tooShort.toString(),
                            "PT10S",
                            "postroom.relay.routing-delay",
                            "postroom.relay.lease");
        }
    }

    @Test
    @Tag("R61")
    void routing_delay_is_a_day_at_most_unless_the_lease_needs_more() {
        assertThatThrownBy(() -> settings(Duration.ofSeconds(10), Duration.ofHours(25)))
                .hasMessageContaining("postroom.relay.routing-delay");
        assertThat(settings(Duration.ofHours(9), Duration.ofHours(27)).routingDelay())
                .hasHours(27);
    }
}
