package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postroom.PostroomException;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.RoutingText;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.LaneStore.LiveNode;
import dev.postroom.spi.LaneStore.NodeReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What relays tell each other, and the bits of destinations that they agree on. */
public abstract class NodesContract extends StoreContract {
    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final Duration LEASE = Duration.ofSeconds(10);

    @Test
    @Tag("R21")
    void a_relay_that_reports_is_alive_until_it_leaves() {
        LaneStore lanes = lanes();
        assertThat(lanes.liveNodes(WITHIN)).isEmpty();
        lanes.report(new NodeReport(
                "a", "host \uD83D\uDE80", "1.0", "{\"inFlight\":3}", RoutingText.NONE, LEASE, Duration.ZERO));
        lanes.report(new NodeReport("b", "host", "1.0", "{}", RoutingText.NONE, LEASE, Duration.ZERO));
        lanes.acquire("a", List.of(1, 2, 3), WITHIN);

        assertThat(lanes.liveNodes(WITHIN))
                .extracting(LiveNode::node, LiveNode::host, LiveNode::lanes)
                .containsExactlyInAnyOrder(tuple("a", "host \uD83D\uDE80", 3), tuple("b", "host", 0));
        lanes.leave("a");
        assertThat(lanes.liveNodes(WITHIN)).extracting(LiveNode::node).containsExactly("b");
        lanes.leave("never was");
    }

    @Test
    @Tag("R31")
    void a_relay_that_stopped_reporting_is_not_alive() {
        LaneStore lanes = lanes();
        lanes.report(new NodeReport("a", "host", "1.0", "{}", RoutingText.NONE, LEASE, Duration.ZERO));
        execute("UPDATE postroom_node SET last_seen = last_seen - interval '2' minute");
        assertThat(lanes.liveNodes(WITHIN)).isEmpty();
        assertThat(lanes.liveNodes(Duration.ofMinutes(3))).hasSize(1);
        lanes.report(new NodeReport("a", "host", "1.0", "{}", RoutingText.NONE, LEASE, Duration.ZERO));
        assertThat(lanes.liveNodes(WITHIN)).hasSize(1);
    }

    @Test
    @Tag("R54")
    void operators_see_what_a_relay_last_told_and_since_when_it_runs() {
        LaneStore lanes = lanes();
        lanes.report(new NodeReport("a", "host", "1.0", "{\"inFlight\":3}", RoutingText.NONE, LEASE, Duration.ZERO));
        NodeItem first = store.store().operations().nodes().get(0);
        String large = "{\"x\":\"" + "y".repeat(60_000) + "\"}";
        lanes.report(new NodeReport("a", "host", "1.1", large, RoutingText.NONE, LEASE, Duration.ZERO));
        assertThat(store.store().operations().nodes()).singleElement().satisfies(node -> {
            assertThat(node.startedAt()).isEqualTo(first.startedAt());
            assertThat(node.lastSeen()).isAfterOrEqualTo(first.lastSeen());
            assertThat(node.details()).isEqualTo(large);
            assertThat(node.version()).isEqualTo("1.1");
            assertThat(node.alive()).isTrue();
        });
    }

    @Test
    @Tag("R29")
    void a_destinations_bit_never_changes() {
        LaneStore lanes = lanes();
        Destinations first = lanes.destinations(List.of("kafka", "rabbit"));
        assertThat(first.bits().values()).doesNotHaveDuplicates();
        assertThat(lanes.destinations(List.of("rabbit", "http", "kafka")).bits())
                .containsAllEntriesOf(first.bits())
                .hasSize(3);
        assertThat(lanes.destinations(List.of("KAFKA", "kafka ")).bits().values())
                .doesNotContainAnyElementsOf(first.bits().values());
        assertThat(lanes.destinations(List.of()).bits()).isEmpty();
    }

    @Test
    @Tag("R29")
    void relays_that_register_at_once_agree_on_the_bits() throws Exception {
        int relays = 4;
        List<String> names =
                IntStream.range(0, 20).mapToObj(i -> "destination " + i).toList();
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(relays);
            List<Future<Destinations>> results = new ArrayList<>();
            for (int i = 0; i < relays; i++) {
                LaneStore lanes = lanes();
                List<String> mine = new ArrayList<>(names);
                java.util.Collections.rotate(mine, 5 * i);
                results.add(background.run(() -> {
                    together.await(30, SECONDS);
                    return lanes.destinations(mine);
                }));
            }
            Destinations first = results.get(0).get(60, SECONDS);
            assertThat(first.bits()).hasSize(20);
            assertThat(first.bits().values()).doesNotHaveDuplicates();
            for (Future<Destinations> result : results) {
                assertThat(result.get(60, SECONDS)).isEqualTo(first);
            }
        }
    }

    @Test
    @Tag("R29")
    void sixty_three_destinations_fit_and_one_more_is_refused_with_what_to_do() {
        LaneStore lanes = lanes();
        List<String> most = IntStream.range(0, Destinations.MOST)
                .mapToObj(i -> "destination " + i)
                .toList();
        Destinations all = lanes.destinations(most);
        assertThat(all.bits().values()).doesNotHaveDuplicates().allMatch(bit -> bit >= 0 && bit <= 62);
        assertThatThrownBy(() -> lanes.destinations(List.of("one too many")))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("63");
        assertThat(lanes.destinations(most)).isEqualTo(all);
    }

    private LaneStore lanes() {
        return store.closing(store.store().openLanes());
    }
}
