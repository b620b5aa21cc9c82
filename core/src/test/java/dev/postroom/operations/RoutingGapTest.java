package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
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
        return routing(routes, firstSeen, from, to, to == null ? 64 : 0);
    }

    private static RoutingItem routing(String routes, int firstSeen, int from, @Nullable Integer to, int lanes) {
        RoutingText text = new RoutingText(routes);
        return new RoutingItem(
                text.fingerprint(), text, at(firstSeen), from < 0 ? null : at(from), to == null ? null : at(to), lanes);
    }

    /** What joined with the second of two routings, which took over from the first at ten. */
    private static List<RoutingGap> gaps(String before, String now) {
        return RoutingGap.of(List.of(routing(now, 9, 10, null), routing(before, 0, 1, 10)));
    }

    private static RoutingGap all(String topic, String destination) {
        return new RoutingGap(topic, false, destination, at(1), at(10));
    }

    private static RoutingGap some(String topic, String destination) {
        return new RoutingGap(topic, true, destination, at(1), at(10));
    }

    private static Instant at(int hour) {
        return T0.plusSeconds(hour * 3_600L);
    }

    @Test
    void destination_that_joined_misses_what_was_delivered_before() {
        assertThat(RoutingGap.of(List.of(routing(NEW, 9, 10, null), routing(OLD, 0, 1, 10))))
                .containsExactly(new RoutingGap("orders.created", false, "audit", at(1), at(10)));
    }

    @Test
    void after_a_rollback_and_back_it_misses_both_times() {
        assertThat(RoutingGap.of(List.of(routing(NEW, 9, 10, null), routing(OLD, 0, 1, 20))))
                .containsExactly(new RoutingGap("orders.created", false, "audit", at(1), at(20)));
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
    void route_of_its_own_for_a_topic_is_no_gap_where_another_route_sent_it_before() {
        assertThat(gaps("** -> broker (block)", NEW)).containsExactly(all("orders.created", "audit"));
        assertThat(gaps("orders.** -> audit, broker (block)", NEW)).isEmpty();
    }

    @Test
    void topic_that_falls_under_a_wider_route_now_is_a_gap_although_that_route_is_the_same() {
        assertThat(gaps("orders.created -> broker (block)\n** -> audit, broker (block)", "** -> audit, broker (block)"))
                .containsExactly(all("orders.created", "audit"));
    }

    @Test
    void routes_below_one_that_takes_all_of_their_topics_mean_nothing() {
        assertThat(gaps("** -> broker (block)", "** -> broker (block)\norders.* -> audit (block)"))
                .isEmpty();
        assertThat(gaps("** -> broker (block)\norders -> audit (block)", "orders -> audit (block)"))
                .containsExactly(all("orders", "audit"));
        // Together the first two take all that begins with orders, so the last is for the rest.
        assertThat(gaps(
                        "orders* -> a (block)\norders*.** -> a (block)\n** -> audit (block)",
                        "orders** -> a (block)\n** -> audit (block)"))
                .isEmpty();
    }

    @Test
    void topic_that_no_route_matched_was_held_and_misses_nothing() {
        assertThat(gaps("orders -> broker (block)", "** -> broker (block)")).isEmpty();
        assertThat(gaps("orders -> broker (block)", "** -> audit, broker (block)"))
                .containsExactly(all("**", "audit"));
    }

    @Test
    void some_topics_of_a_pattern_are_told_apart_from_all_of_them() {
        assertThat(gaps("*.created -> audit (block)\n** -> broker (block)", "orders.* -> audit (block)"))
                .containsExactly(some("orders.*", "audit"));
        assertThat(gaps("*.created -> audit (block)\n** -> broker (block)", "*.paid -> audit (block)"))
                .containsExactly(all("*.paid", "audit"));
        assertThat(some("orders.*", "audit").topics()).isEqualTo("some topics of orders.*");
    }

    /** Each line that is printed is of other messages than the others. */
    @Test
    void pattern_stands_for_the_topics_that_had_a_route_of_their_own_as_well() {
        assertThat(gaps("a -> broker (block)\nb -> audit (block)\n*c -> broker (block)", "** -> audit (block)"))
                .containsExactly(some("**", "audit"));
        assertThat(gaps("a -> broker (block)\nb -> broker (block)\nc -> audit (block)", "** -> audit (block)"))
                .containsExactly(all("a", "audit"), all("b", "audit"));
    }

    @Test
    void many_routes_are_compared_in_no_time() {
        StringBuilder before = new StringBuilder();
        for (int i = 0; i < 800; i++) {
            before.append("t").append(i).append(i % 2 == 0 ? "" : ".*").append(" -> broker (block)\n");
        }
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(gaps(before + "** -> broker (block)", before + "** -> audit, broker (block)"))
                        .contains(all("**", "audit")));
    }

    @Test
    void gap_is_told_when_its_end_is_final() {
        List<RoutingItem> routings = List.of(routing(NEW, 9, 10, null, 63), routing(OLD, 0, 1, 10, 1));
        assertThat(RoutingGap.isHandover(routings)).isTrue();
        assertThat(RoutingGap.of(routings)).isEmpty();
    }

    @Test
    void replay_that_closes_the_gap_is_one_line_for_a_shell() {
        assertThat(all("orders.created", "audit").replay())
                .isEqualTo("postroom replay --topic orders.created --destination audit --from 2026-03-01T01:00:00Z"
                        + " --to 2026-03-01T10:00:00Z --reason 'audit joined the route of orders.created'");
        assertThat(some("orders.*", "audit").replay())
                .isEqualTo("postroom replay --route 'orders.*' --destination audit --from 2026-03-01T01:00:00Z"
                        + " --to 2026-03-01T10:00:00Z --reason 'audit joined the route of orders.*'");
        assertThat(all("it's $HOME", "audit").replay()).contains("--topic 'it'\\''s $HOME' --destination");
        assertThat(all("$HOME", "~shop").replay()).contains("--topic '$HOME' --destination '~shop' ");
        assertThat(all(RoutingText.printable("a\\b \uD83D\uDE80"), "audit").replay())
                .contains("--topic 'a\\b \uD83D\uDE80' --destination");
    }

    @Test
    void topics_of_a_route_that_missed_the_destination_are_told_from_those_that_did_not() {
        RoutingItem before = routing("a.x -> audit (block)\na.* -> broker (block)\nb.* -> audit (block)", 0, 1, 10);
        RoutingItem now = routing("a.own -> audit (block)\n** -> audit, broker (block)", 9, 10, null);
        GapSearch search = new GapSearch(List.of(now, before));
        assertThat(search.hasMissed("a.y", "**", "audit", at(1), at(10))).isTrue();
        assertThat(search.hasMissed("a.x", "**", "audit", at(1), at(10)))
                .as("went there")
                .isFalse();
        assertThat(search.hasMissed("b.x", "**", "audit", at(1), at(10)))
                .as("went there")
                .isFalse();
        assertThat(search.hasMissed("c", "**", "audit", at(1), at(10)))
                .as("was held")
                .isFalse();
        assertThat(search.hasMissed("a.own", "**", "audit", at(1), at(10)))
                .as("has another route")
                .isFalse();
        assertThat(search.hasMissed("a.y", "**", "other", at(1), at(10)))
                .as("goes elsewhere")
                .isFalse();
        for (int hour : new int[] {0, 10}) {
            assertThat(search.hasMissed("a.y", "**", "audit", at(hour), at(hour + 1)))
                    .as("at another time")
                    .isFalse();
        }
    }

    @Test
    void more_gaps_than_are_told_are_counted() {
        StringBuilder before = new StringBuilder();
        StringBuilder now = new StringBuilder();
        for (int i = 0; i < 27; i++) {
            before.append("t").append(i).append(" -> broker (block)\n");
            now.append("t").append(i).append(" -> audit, broker (block)\n");
        }
        List<RoutingItem> routings = List.of(
                routing(now.toString().strip(), 9, 10, null),
                routing(before.toString().strip(), 0, 1, 10));
        RoutingGaps gaps = RoutingGaps.recent(routings, at(11));
        assertThat(gaps.told()).hasSize(20);
        assertThat(gaps.more()).isEqualTo(7);
        assertThat(gaps.moreInWords()).contains("7 more", "27 in all");
        assertThat(RoutingGaps.recent(routings, at(10 + 8 * 24))).isEqualTo(new RoutingGaps(List.of(), 0));
    }
}
