package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.engine.Event;
import dev.postroom.spi.LaneStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A new version that crashes again and again, each time started anew at once, while a relay of the older version lives. */
@Tag("R61")
class CrashLoopTest {
    private static final int LOOKS_PER_LEASE = 50;
    private static final int LEASES = 80;

    private final World world = new World(1, SimulationOptions.DEFAULT.allOf(EnumSet.noneOf(Fault.class)), null);
    private final long lease = world.scenario.leaseNanos();
    private final List<RelayProcess> relays = new ArrayList<>();
    private int starts;

    /** The routing delay is three leases: those that live for longer take over each time, and hand back when they are gone. */
    @ParameterizedTest
    @CsvSource({"0.5, 1", "1.1, 1", "1.5, 1", "3.05, 1", "3.5, 1", "5, 1", "3.05, 2", "3.5, 2", "3.2, 3"})
    void lanes_are_served_most_of_the_time_however_long_each_lives(double livesForLeases, int relaysOfNewVersion) {
        start(node(0, 0));
        run(2 * lease);
        long life = (long) (livesForLeases * lease);
        for (int i = 0; i < relaysOfNewVersion; i++) {
            Node node = node(1 + i, 1);
            world.timeline.after(i * life / relaysOfNewVersion, () -> crashAfter(life, node));
        }
        int served = 0;
        int[] alone = new int[LaneStore.LANES];
        int longest = 0;
        int looks = LEASES * LOOKS_PER_LEASE;
        for (int i = 0; i < looks; i++) {
            run(lease / LOOKS_PER_LEASE);
            Set<String> alive = relays.stream()
                    .filter(RelayProcess::isRunning)
                    .map(RelayProcess::name)
                    .collect(Collectors.toSet());
            for (LaneStore.Lane lane : world.database.lanes().lanes()) {
                boolean isServed = lane.owner() != null && alive.contains(lane.owner());
                alone[lane.lane()] = isServed ? 0 : alone[lane.lane()] + 1;
                longest = Math.max(longest, alone[lane.lane()]);
                served += isServed ? 1 : 0;
            }
        }
        assertThat((double) longest / LOOKS_PER_LEASE)
                .as("the longest time in leases that a lane was without a relay that lives")
                .isLessThan(3.5);
        assertThat((double) served / looks / LaneStore.LANES)
                .as("the share of the time that lanes had a relay that lives")
                .isGreaterThan(0.5);
    }

    private Node node(int number, int version) {
        Node node = new Node(number, world.timeline, false, 0);
        node.deploy(version);
        return node;
    }

    private RelayProcess start(Node node) {
        RelayProcess relay = new RelayProcess(world, node, "relay-" + node.number() + "." + ++starts);
        relays.removeIf(RelayProcess::hasEnded);
        relays.add(relay);
        relay.tell(new Event.Tick());
        return relay;
    }

    private void crashAfter(long life, Node node) {
        RelayProcess relay = start(node);
        world.timeline.after(life, () -> {
            relay.crash("again");
            crashAfter(life, node);
        });
    }

    private void run(long nanos) {
        long until = world.timeline.now() + nanos;
        while (world.timeline.runNext(until)) {}
    }
}
