package dev.postroom.testkit.contract;

import static dev.postroom.testkit.contract.TestRelay.A;
import static dev.postroom.testkit.contract.TestRelay.B;
import static dev.postroom.testkit.contract.TestRelay.success;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.RoutingGap;
import dev.postroom.operations.RoutingItem;
import dev.postroom.operations.RoutingText;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.LaneStore.LiveNode;
import dev.postroom.spi.LaneStore.NodeReport;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which routing each relay has, when it was first seen, and when it was in force. */
@Tag("R61")
public abstract class RoutingContract extends StoreContract {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final RoutingText OLD = new RoutingText("orders.** -> broker (block)");
    private static final RoutingText NEW = new RoutingText("orders.** -> audit, broker (block)");

    @Test
    void a_routing_is_remembered_from_when_it_was_first_seen_whoever_has_it() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        Instant first = node("a").firstSeen();
        lanes.leave("a");
        execute("UPDATE postroom_routing SET first_seen = first_seen - interval '1' hour");
        lanes().report(report("b", OLD));
        lanes.report(report("c", NEW));

        assertThat(node("b").firstSeen()).isEqualTo(first.minus(HOUR));
        assertThat(node("b").routing()).isEqualTo(OLD.fingerprint());
        assertThat(node("c").routing()).isEqualTo(NEW.fingerprint());
        assertThat(node("c").firstSeen()).isAfter(first);
        assertThat(routes(NEW)).isEqualTo(NEW.text());
    }

    @Test
    void what_comes_later_is_newer_also_when_the_databases_clock_was_set_back() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        execute("UPDATE postroom_routing SET first_seen = first_seen + interval '1' hour");
        lanes().report(report("b", NEW));
        assertThat(node("b").firstSeen()).isAfter(node("a").firstSeen());
    }

    @Test
    void a_relay_is_ripe_so_long_after_its_first_report_by_the_databases_clock() {
        LaneStore lanes = lanes();
        NodeReport report = new NodeReport("a", "host", "1", "{}", OLD, LEASE, HOUR);
        lanes.report(report);
        execute("UPDATE postroom_node SET started_at = started_at - interval '50' minute");
        lanes.report(report);
        assertThat(node("a").ripe()).isFalse();
        execute("UPDATE postroom_node SET started_at = started_at - interval '10' minute");
        lanes.report(report);
        assertThat(node("a").ripe()).isTrue();
        execute("UPDATE postroom_node SET started_at = started_at + interval '2' hour");
        assertThat(node("a").ripe()).as("the clock was set back").isFalse();
    }

    @Test
    void a_relay_that_needs_no_time_is_ripe_at_once_and_whatever_the_databases_clock_says() {
        lanes().report(report("a", OLD));
        assertThat(node("a").ripe()).isTrue();
        execute("UPDATE postroom_node SET started_at = started_at + interval '2' hour");
        assertThat(node("a").ripe()).as("the clock was set back").isTrue();
    }

    /** To add one locks a lane: that must not happen with every report. */
    @Test
    void a_routing_is_added_anew_only_when_it_was_lost_and_not_because_another_relay_has_none() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        lanes.report(report("b", RoutingText.NONE));
        lanes.liveNodes(LEASE);
        execute("DELETE FROM postroom_routing");
        lanes.report(report("a", OLD));
        assertThat(routings()).isZero();
        lanes.liveNodes(LEASE);
        lanes.report(report("a", OLD));
        assertThat(routings()).isOne();
    }

    private int routings() {
        return Integer.parseInt(String.valueOf(value("SELECT COUNT(*) FROM postroom_routing")));
    }

    @Test
    void only_old_routings_that_nobody_has_are_forgotten() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        lanes.release("a", lanes.acquire("a", List.of(1), LEASE));
        for (int i = 0; i < 5; i++) {
            lanes.report(report("b", new RoutingText("** -> crashed" + i + " (block)")));
        }
        lanes.report(report("b", NEW));
        Maintenance maintenance = store.store().maintenance();

        // The lane was last taken for it.
        assertThat(maintenance.purgeRoutings(Duration.ZERO, 3)).isEqualTo(3);
        assertThat(routes(OLD)).isNotNull();
        lanes.acquire("b", List.of(1), LEASE);
        lanes.report(report("a", NEW));
        assertThat(maintenance.purgeRoutings(HOUR, 1)).as("in force lately").isEqualTo(2);
        assertThat(routes(OLD)).isNotNull();
        lanes.report(report("a", OLD));
        assertThat(maintenance.purgeRoutings(Duration.ZERO, 0))
                .as("a relay has it")
                .isZero();
        lanes.leave("a");
        assertThat(maintenance.purgeRoutings(Duration.ZERO, 1)).isEqualTo(1);
        assertThat(value("SELECT COUNT(*) FROM postroom_routing WHERE fingerprint = ?", OLD.fingerprint()))
                .isEqualTo("0");
        assertThat(routes(NEW)).isNotNull();
    }

    @Test
    void a_relay_lives_as_long_as_its_own_lease() {
        LaneStore lanes = lanes();
        lanes.report(new NodeReport("patient", "host", "1", "{}", OLD, HOUR, Duration.ZERO));
        lanes.report(report("other", OLD));
        execute("UPDATE postroom_node SET last_seen = last_seen - interval '10' minute");
        assertThat(lanes.liveNodes(LEASE)).extracting(LiveNode::node).containsExactly("patient");
    }

    @Test
    void a_dead_relay_does_not_live_on_when_the_databases_clock_is_set_back() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        execute("UPDATE postroom_node SET last_seen = last_seen + interval '1' hour");
        assertThat(lanes.liveNodes(LEASE)).isEmpty();
    }

    @Test
    void a_routing_is_in_force_from_its_first_lane_on_until_the_last_is_taken_for_another() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        assertThat(inForce(OLD, "from")).isNull();
        List<LaneStore.Lease> held = lanes.acquire("a", List.of(1, 2), LEASE);
        assertThat(inForce(OLD, "from")).isNotNull();
        assertThat(inForce(OLD, "to")).isNull();

        lanes.report(report("b", NEW));
        lanes.release("a", held.subList(0, 1));
        lanes.acquire("b", List.of(held.get(0).lane()), LEASE);
        assertThat(inForce(NEW, "from")).isNotNull();
        String first = inForce(OLD, "to");
        assertThat(first).isNotNull();
        assertThat(RoutingGap.isHandover(items())).isTrue();
        assertThat(RoutingGap.of(items())).isEmpty();
        execute(
                "UPDATE postroom_routing SET in_force_to = in_force_to - interval '1' hour WHERE in_force_to IS NOT NULL");
        lanes.release("a", held.subList(1, 2));
        lanes.acquire("b", List.of(held.get(1).lane()), LEASE);
        assertThat(String.valueOf(inForce(OLD, "to"))).isGreaterThanOrEqualTo(String.valueOf(first));
        assertThat(inForce(NEW, "to")).isNull();
        assertThat(RoutingGap.isHandover(items())).isFalse();
        assertThat(RoutingGap.of(items()))
                .singleElement()
                .satisfies(gap -> assertThat(gap.destination()).isEqualTo("audit"));
    }

    private List<RoutingItem> items() {
        return store.store().operations(LEASE).routings();
    }

    @Test
    void taking_lanes_of_the_same_routing_changes_nothing_of_it() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        lanes.report(report("b", NEW));
        lanes.release("a", lanes.acquire("a", List.of(1), LEASE));
        lanes.release("b", lanes.acquire("b", List.of(1), LEASE));
        String ended = inForce(OLD, "to");
        lanes.release("b", lanes.acquire("b", List.of(1), LEASE));
        lanes.report(report("c", NEW));
        lanes.acquire("c", List.of(1), LEASE);
        assertThat(inForce(OLD, "to")).isEqualTo(ended);
        assertThat(inForce(NEW, "to")).isNull();
    }

    @Test
    void a_routing_that_is_back_in_force_has_no_end_and_keeps_its_beginning() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        lanes.report(report("b", NEW));
        lanes.release("a", lanes.acquire("a", List.of(1), LEASE));
        String began = inForce(OLD, "from");
        lanes.release("b", lanes.acquire("b", List.of(1), LEASE));
        lanes.acquire("a", List.of(1), LEASE);
        assertThat(inForce(OLD, "from")).isEqualTo(began);
        assertThat(inForce(OLD, "to")).isNull();
        assertThat(inForce(NEW, "to")).isNotNull();
    }

    @Test
    @Tag("R29")
    void late_success_by_other_routes_is_recorded_and_leaves_the_row_to_whoever_has_its_lane() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        TestRelay late = relay("a");
        StoredMessage row = read(publish(Message.to("orders")));
        int lane = row.key().lane();
        lanes.report(report("b", NEW));
        lanes.release("a", List.of(late.lease(lane)));
        lanes.acquire("b", List.of(lane), LEASE);

        assertThat(late.succeed(row).left()).isZero();
        assertThat(value("SELECT completed FROM postroom_message")).isEqualTo("1");
        assertThat(late.settle(List.of(success(row, B, A | B)), List.of(), true).left())
                .isZero();
        assertThat(value("SELECT completed FROM postroom_message")).isEqualTo("3");
        assertThat(count("postroom_archive")).isZero();

        assertThat(store.idleRelay("b")
                        .settle(List.of(success(row, A, A | B)), List.of(), true)
                        .left())
                .isEqualTo(1);
        assertThat(count("postroom_archive")).isEqualTo(1);
    }

    @Test
    @Tag("R29")
    void late_success_by_the_same_routes_lets_the_row_leave() {
        LaneStore lanes = lanes();
        lanes.report(report("a", OLD));
        TestRelay late = relay("a");
        StoredMessage row = read(publish(Message.to("orders")));
        lanes.report(report("b", OLD));
        lanes.release("a", List.of(late.lease(row.key().lane())));
        lanes.acquire("b", List.of(row.key().lane()), LEASE);
        assertThat(late.succeed(row).left()).isEqualTo(1);
    }

    @Test
    void relays_that_come_at_once_and_hand_over_to_each_other_never_wait_for_each_other() throws Exception {
        int relays = 4;
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(relays);
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < relays; i++) {
                String name = "relay " + i;
                RoutingText routing = i % 2 == 0 ? OLD : NEW;
                int first = i;
                LaneStore lanes = lanes();
                results.add(background.run(() -> {
                    together.await(30, SECONDS);
                    lanes.report(report(name, routing));
                    int taken = 0;
                    for (int round = 0; round < 10; round++) {
                        together.await(30, SECONDS);
                        List<LaneStore.Lease> leases = lanes.acquire(name, List.of((first + round) % relays), LEASE);
                        taken += leases.size();
                        lanes.release(name, leases);
                    }
                    return taken;
                }));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get(90, SECONDS)).isPositive();
            }
        }
        assertThat(lanes().liveNodes(LEASE)).hasSize(relays);
    }

    @Test
    void routes_of_any_length_can_be_reported() {
        List<RoutingText.Line> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(new RoutingText.Line("topic\u0000 \uD83D\uDE80 " + i, List.of("broker"), "block"));
        }
        RoutingText routing = RoutingText.of(many);
        lanes().report(report("a", routing));
        assertThat(node("a").routing()).isEqualTo(routing.fingerprint());
        assertThat(routing.text()).startsWith(String.valueOf(routes(routing)));
    }

    private NodeReport report(String node, RoutingText routing) {
        return new NodeReport(node, "host", "1.0", "{}", routing, LEASE, Duration.ZERO);
    }

    private LiveNode node(String name) {
        return lanes().liveNodes(LEASE).stream()
                .filter(node -> node.node().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable String inForce(RoutingText routing, String end) {
        return value("SELECT in_force_" + end + " FROM postroom_routing WHERE fingerprint = ?", routing.fingerprint());
    }

    private @Nullable String routes(RoutingText routing) {
        return value("SELECT routes FROM postroom_routing WHERE fingerprint = ?", routing.fingerprint());
    }

    private LaneStore lanes() {
        return store.closing(store.store().openLanes());
    }
}
