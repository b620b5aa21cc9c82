package dev.postroom.testkit.simulation;

import dev.postroom.engine.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The relays: a process per node at most, each start under a new name. */
final class Fleet {
    private final World world;
    private final List<Node> nodes = new ArrayList<>();
    private final List<RelayProcess> running = new ArrayList<>();
    private final List<RelayProcess> started = new ArrayList<>();
    private final Map<String, Integer> versions = new HashMap<>();
    private int starts;
    private boolean closing;

    Fleet(World world) {
        this.world = world;
        Dice dice = world.newDice();
        for (int number = 0; number < world.scenario.relays(); number++) {
            // System.nanoTime() counts from anywhere, also from below zero.
            long start = dice.bits() >>> 18;
            nodes.add(new Node(
                    number,
                    world.timeline,
                    world.isBroken(BrokenVariant.LEASE_BY_WALL_CLOCK),
                    world.scenario.has(Fault.CLOCK_BELOW_ZERO) ? -start : start));
        }
    }

    List<Node> nodes() {
        return nodes;
    }

    /** Of a relay that runs, or ran. */
    int version(String relay) {
        return versions.getOrDefault(relay, 0);
    }

    /** Those whose process has not ended, also when it stands still or is about to stop. */
    List<RelayProcess> running() {
        running.removeIf(RelayProcess::hasEnded);
        return running;
    }

    /** Also of those that have ended: what they had recorded may be gone. */
    void breakConnections() {
        started.forEach(RelayProcess::breakConnections);
    }

    /** Starts a relay on every node that has none. */
    void startAll() {
        for (Node node : nodes) {
            start(node);
        }
    }

    void start(Node node) {
        if (!closing && running().stream().noneMatch(relay -> relay.node() == node)) {
            starts++;
            RelayProcess relay = new RelayProcess(world, node, "relay-" + node.number() + "." + starts);
            running.add(relay);
            started.add(relay);
            versions.put(relay.name(), relay.version());
            world.ledger.note(relay.name() + " starts");
            relay.tell(new Event.Tick());
        }
    }

    void startLater(Node node, long nanos) {
        world.timeline.after(nanos, () -> start(node));
    }

    /** Asks all to stop, and starts none any more. */
    void stopAll() {
        closing = true;
        List.copyOf(running()).forEach(RelayProcess::stop);
    }
}
