package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R61")
class RoutingGapTest {
    private static final Instant T0 = Instant.parse("2026-03-01T00:00:00Z");
    private static final String OLD = "orders.created -> broker (block)\n** -> broker (block)";
    private static final String NEW = "orders.created -> audit, broker (block)\n** -> broker (block)";

    private static RoutingItem routing(String routes, int firstSeen, int from, @Nullable Integer to) {
        RoutingText text = new RoutingText(routes);
        return new RoutingItem(
                text.fingerprint(), text, at(firstSeen), from < 0 ? null : at(from), to == null ? null : at(to));
    }

    private static Instant at(int hour) {
        return T0.plusSeconds(hour * 3_600L);
    }

    @Test
    void destination_that_joined_misses_what_was_delivered_before() {
        assertThat(RoutingGap.of(List.of(routing(NEW, 9, 10, null), routing(OLD, 0, 1, 10))))
                .containsExactly(new RoutingGap("orders.created", "audit", at(1), at(10)));
    }

    @Test
    void after_a_rollback_and_back_it_misses_both_times() {
        assertThat(RoutingGap.of(List.of(routing(NEW, 9, 10, null), routing(OLD, 0, 1, 20))))
                .containsExactly(new RoutingGap("orders.created", "audit", at(1), at(20)));
    }

    @Test
    void destination_that_went_misses_nothing_and_a_routing_that_never_was_in_force_tells_nothing() {
        assertThat(RoutingGap.of(List.of(routing(NEW, 9, 10, 11), routing(OLD, 0, 1, null))))
                .isEmpty();
        assertThat(RoutingGap.of(List.of(routing(NEW, 9, 10, null), routing(OLD, 0, -1, null))))
                .isEmpty();
        assertThat(RoutingGap.of(List.of())).isEmpty();
    }

    @Test
    void replay_that_closes_the_gap_is_told() {
        assertThat(new RoutingGap("orders.created", "audit", at(1), at(10)).replay())
                .isEqualTo("postroom replay --topic orders.created --destination audit --from 2026-03-01T01:00:00Z"
                        + " --to 2026-03-01T10:00:00Z");
        assertThat(new RoutingGap("orders.*", "audit", at(1), at(10)).replay())
                .contains("--topic TOPIC", "for each TOPIC that matches orders.*");
    }
}
