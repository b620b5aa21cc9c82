package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What relays that stand by have in other routes than those in force, and which destinations nobody has. */
@Tag("R61")
class RoutingDifferenceTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final RoutingText IN_FORCE = new RoutingText("a -> audit, broker (block)\n** -> broker (block)");
    private static final RoutingText OLD = new RoutingText("a -> broker (block)\n** -> broker (block)");

    private static RoutingItem item(RoutingText text, @Nullable Instant until) {
        return new RoutingItem(text.fingerprint(), text, NOW, NOW.minusSeconds(60), until, until == null ? 64 : 0);
    }

    private static NodeItem node(
            String name, RoutingText routing, boolean alive, @Nullable String standsByFor, String... destinations) {
        Map<String, String> addresses = new HashMap<>();
        for (String destination : destinations) {
            addresses.put(destination, "somewhere");
        }
        RelayReport none = RelayReport.NONE;
        RelayReport report = new RelayReport(
                0,
                List.of(),
                0,
                0,
                none.minute(),
                0,
                0,
                none.recording(),
                none.reading(),
                standsByFor,
                null,
                addresses);
        return new NodeItem(name, "host", "1", NOW, NOW, alive, 0, "{}", routing.fingerprint(), report);
    }

    private static RoutingDifference of(RoutingText own, RoutingItem... others) {
        List<RoutingItem> routings = new ArrayList<>(List.of(others));
        return RoutingDifference.of(routings, List.of(node("old", own, true, "new")))
                .get(0);
    }

    @Test
    void routes_are_told_that_only_one_of_them_has() {
        RoutingDifference difference = of(OLD, item(IN_FORCE, null), item(OLD, NOW));
        assertThat(difference.lines()).containsExactly("+ a -> broker (block)", "- a -> audit, broker (block)");
        assertThat(difference.asOf()).isEqualTo(NOW);
        assertThat(difference.standsByFor()).isEqualTo("new");
    }

    @Test
    void another_order_alone_is_told_as_such() {
        RoutingText turned = new RoutingText("** -> broker (block)\na -> audit, broker (block)");
        assertThat(of(turned, item(IN_FORCE, null), item(turned, NOW)).lines())
                .containsExactly("= the same routes in another order");
    }

    @Test
    void routes_that_are_not_recorded_or_not_all_of_them_are_told_to_be_unknown() {
        assertThat(of(OLD, item(IN_FORCE, null)).lines()).containsExactly("? not all routes are recorded");
        RoutingItem cut =
                new RoutingItem(OLD.fingerprint(), new RoutingText("a -> broker (block)"), NOW, null, null, 0);
        assertThat(cut.isWhole()).isFalse();
        assertThat(of(OLD, item(IN_FORCE, null), cut).lines()).contains("? not all routes are recorded");
        RoutingItem cutInForce = new RoutingItem(IN_FORCE.fingerprint(), OLD, NOW, NOW, null, 64);
        assertThat(of(OLD, cutInForce, item(OLD, NOW)).lines()).containsExactly("? not all routes are recorded");
    }

    @Test
    void only_relays_that_live_and_stand_by_are_compared() {
        List<NodeItem> nodes = List.of(node("dead", OLD, false, "new"), node("new", IN_FORCE, true, null));
        assertThat(RoutingDifference.of(List.of(item(IN_FORCE, null)), nodes)).isEmpty();
    }

    @Test
    void relay_whose_last_report_is_older_than_the_handover_to_its_own_routes_stands_by_for_nobody() {
        List<NodeItem> nodes = List.of(node("killed", IN_FORCE, true, "old"), node("new", IN_FORCE, true, null));
        assertThat(RoutingDifference.of(List.of(item(IN_FORCE, null), item(OLD, NOW)), nodes))
                .isEmpty();
    }

    @Test
    void destination_is_absent_when_no_relay_in_force_has_it_and_since_when_is_told() {
        List<RoutingItem> rolledBack = List.of(item(OLD, null), item(IN_FORCE, NOW.minusSeconds(5)));
        List<NodeItem> nodes = List.of(
                node("old", OLD, true, null, "broker", "spare"), node("new", IN_FORCE, true, "old", "broker", "audit"));
        assertThat(AbsentDestination.of("audit", rolledBack, nodes))
                .hasValueSatisfying(absent -> assertThat(absent.text())
                        .isEqualTo(
                                "destination 'audit' has not been in the routing in force since 2026-03-01T11:59:55Z"));
        assertThat(AbsentDestination.of("never", rolledBack, nodes))
                .hasValueSatisfying(absent -> assertThat(absent.since()).isNull());
        assertThat(AbsentDestination.of("broker", rolledBack, nodes)).isEmpty();
        assertThat(AbsentDestination.of("spare", rolledBack, nodes))
                .as("no route names it, but the relay has it")
                .isEmpty();
        assertThat(AbsentDestination.of("audit", rolledBack, List.of()))
                .as("nobody lives")
                .isEmpty();
    }

    @Test
    void destination_is_absent_since_the_last_routing_that_had_it() {
        RoutingText first = new RoutingText("a -> audit (block)");
        List<RoutingItem> routings =
                List.of(item(first, NOW.minusSeconds(50)), item(OLD, null), item(IN_FORCE, NOW.minusSeconds(5)));
        assertThat(AbsentDestination.of("audit", routings, List.of(node("old", OLD, true, null, "broker"))))
                .hasValueSatisfying(absent -> assertThat(absent.since()).isEqualTo(NOW.minusSeconds(5)));
    }

    @Test
    void nobody_can_tell_of_a_destination_where_routes_are_not_recorded_or_every_relay_is_dead() {
        RoutingItem cut = new RoutingItem(IN_FORCE.fingerprint(), OLD, NOW, NOW, null, 64);
        assertThat(AbsentDestination.of("audit", List.of(cut), List.of(node("a", IN_FORCE, true, null, "broker"))))
                .isEmpty();
        assertThat(AbsentDestination.of(
                        "audit", List.of(item(OLD, null)), List.of(node("a", OLD, false, null, "broker"))))
                .isEmpty();
    }
}
