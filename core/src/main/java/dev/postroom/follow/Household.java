package dev.postroom.follow;

import dev.postroom.engine.Command;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.EngineSettings;
import dev.postroom.engine.Keeping;
import dev.postroom.engine.Moment;
import dev.postroom.engine.NodeDetails;
import dev.postroom.engine.Pulse;
import dev.postroom.engine.ReadTrouble;
import dev.postroom.engine.Restart;
import dev.postroom.policy.Routes;
import dev.postroom.spi.LaneStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tells the keeper, and the reports, what they want to know of the engine. Reports change nothing. */
final class Household implements Keeping.Owner<Lane>, NodeDetails.Facts {
    private final FollowingEngine engine;
    private final NodeDetails details = new NodeDetails(this);
    private @Nullable Restart restart;
    private Map<String, String> addresses = Map.of();
    private LaneStore.@Nullable LiveNode standsByFor;

    Household(FollowingEngine engine) {
        this.engine = engine;
    }

    void succeeds(Restart newRestart) {
        restart = newRestart;
    }

    void deliversTo(Map<String, String> newAddresses) {
        addresses = new TreeMap<>(newAddresses);
    }

    @Override
    public EngineSettings settings() {
        return engine.settings();
    }

    @Override
    public Routes routes() {
        return engine.surroundings().routes();
    }

    @Override
    public Moment now() {
        return engine.currentTurn().now();
    }

    @Override
    public void give(Command command) {
        engine.currentTurn().give(command);
    }

    @Override
    public EngineListener listener() {
        return engine.surroundings().listener();
    }

    @Override
    public double random() {
        return engine.surroundings().random().getAsDouble();
    }

    @Override
    public boolean isStopping() {
        return engine.currentTurn().isStopping();
    }

    @Override
    public Map<Integer, Lane> lanes() {
        return engine.lanes();
    }

    @Override
    public Lane own(LaneStore.Lease lease, long trustedUntil) {
        engine.reading().wake();
        return engine.own(lease, trustedUntil);
    }

    @Override
    public void lost(Lane lane) {
        engine.forget(lane);
    }

    @Override
    public void standsByFor(LaneStore.@Nullable LiveNode inForce) {
        standsByFor = inForce;
    }

    @Override
    public LaneStore.@Nullable LiveNode standsByFor() {
        return standsByFor;
    }

    @Override
    public LaneStore.NodeReport report() {
        return details.report();
    }

    @Override
    public void reported() {
        details.reported();
    }

    @Override
    public void renewed() {
        if (engine.lanes().isEmpty()) {
            engine.topics().forgetAll();
        }
        engine.lookAgain();
    }

    @Override
    public Map<Integer, Long> lowestInMemory() {
        Map<Integer, Long> lowest = new HashMap<>();
        for (Message message : engine.memory().messages()) {
            lowest.merge(message.lane().number(), message.seq(), Math::min);
        }
        return lowest;
    }

    @Override
    public long readUpTo(Lane lane) {
        return lane.reach();
    }

    @Override
    public long highestInMemory() {
        return engine.highestInMemory();
    }

    @Override
    public @Nullable Restart restart() {
        return restart;
    }

    @Override
    public Map<String, String> addresses() {
        return addresses;
    }

    @Override
    public Pulse pulse() {
        return engine.pulse();
    }

    @Override
    public NodeDetails.Recording recording() {
        return new NodeDetails.Recording(
                engine.settling().trouble(),
                engine.settling().setAside().size(),
                engine.settling().setAside().why());
    }

    @Override
    public ReadTrouble readTrouble() {
        return engine.reading().trouble();
    }

    @Override
    public NodeDetails.Load load() {
        long inFlight = 0;
        long longestSend = 0;
        Set<Lane> busy = new HashSet<>();
        long now = now().nanos();
        for (Message message : engine.memory().messages()) {
            boolean sent = false;
            for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
                if (delivery.isSent()) {
                    sent = true;
                    longestSend = Math.max(longestSend, now - delivery.sentAt());
                }
                if (!isStopped(delivery) && message.setAside() == null) {
                    busy.add(message.lane());
                }
            }
            inFlight += sent ? 1 : 0;
        }
        long longestStall = 0;
        int behind = 0;
        for (Lane lane : engine.lanes().values()) {
            longestStall = Math.max(longestStall, lane.standsStill(busy.contains(lane), now));
            for (Track track : lane.tracks()) {
                behind += track.behind().size();
            }
        }
        return new NodeDetails.Load(
                inFlight, engine.memory().size(), engine.lanes().size(), behind, longestSend, longestStall);
    }

    /** What waits for a destination or a topic has nothing to do, and does not stand still. */
    private static boolean isStopped(Delivery delivery) {
        Destination destination = delivery.destination();
        return delivery.isQueued() && (!destination.isFlowing() || destination.closedGate(delivery.message()) != null);
    }

    @Override
    public List<NodeDetails.Held> held() {
        List<NodeDetails.Held> held = new ArrayList<>();
        for (Destination destination : engine.destinations()) {
            String name = destination.name();
            if (destination.isHeld()) {
                held.add(new NodeDetails.Held(
                        "breaker", name, null, null, destination.breaker().why()));
            }
            if (destination.pausedBy() != null) {
                held.add(new NodeDetails.Held("pause", name, null, null, "paused by " + destination.pausedBy()));
            }
            for (Gate gate : destination.closedGates()) {
                boolean pause = gate.pausedBy() != null;
                String why =
                        pause ? "paused by " + gate.pausedBy() : gate.breaker().why();
                boolean ofTopic = gate.kind() == Gate.Kind.TOPIC;
                String topic = ofTopic ? gate.name() : null;
                String type = ofTopic ? null : gate.name();
                held.add(new NodeDetails.Held(pause ? "pause" : "breaker", name, topic, type, why));
            }
            if (destination.isFull(false)) {
                held.add(new NodeDetails.Held("full", name, null, null, "it has its share of the memory"));
            }
            if (!destination.budget().hasRoom()) {
                held.add(new NodeDetails.Held("many_blocked", name, null, null, "too many streams are blocked"));
            }
        }
        for (RoutedTopics.Untaken untaken : engine.topics().untaken()) {
            held.add(new NodeDetails.Held("no_route", untaken.destination(), untaken.topic(), null, untaken.why()));
        }
        return held;
    }
}
