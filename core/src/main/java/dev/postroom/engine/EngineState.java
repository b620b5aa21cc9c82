package dev.postroom.engine;

import dev.postroom.policy.Routes;
import dev.postroom.spi.LaneStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** What the parts of the engine share. */
final class EngineState {
    private static final Duration LONGEST_PROBE_PAUSE = Duration.ofSeconds(30);

    final EngineSettings settings;
    final Routes routes;
    final DoubleSupplier random;
    final EngineListener listener;
    final Map<Integer, OwnedLane> lanes = new TreeMap<>();
    final Memory memory = new Memory();
    final Gates gates = new Gates();
    final Pulse pulse = new Pulse();
    final SetAside setAside;
    final SettleTrouble trouble = new SettleTrouble();
    final ReadTrouble readTrouble = new ReadTrouble();
    Consumer<Command> out = command -> {};

    /** By the place of their bit. */
    private final @Nullable String[] names = new String[Long.SIZE];

    Moment now = new Moment(0, 0);
    boolean stopping;
    /** Why the engine before this one ended, if that one failed. */
    @Nullable
    Restart restart;

    /** Where each destination is, for people, by its name. */
    Map<String, String> addresses = Map.of();

    /** A relay with other routes, which are in force; null when ours are. */
    LaneStore.@Nullable LiveNode standsByFor;

    /** Nothing is sent before it is known what is paused. */
    boolean pausesKnown;
    /** How many reads have begun; a read knows nothing of what was settled after it began. */
    long reads;
    /** A read is under way. */
    boolean reading;
    /** The lanes as they were when the latest read began. */
    Map<Integer, OwnedLane> lanesOfRead = Map.of();

    EngineState(EngineSettings settings, Routes routes, DoubleSupplier random, EngineListener listener) {
        this.settings = settings;
        this.routes = routes;
        this.random = random;
        this.listener = listener;
        this.setAside = new SetAside(settings.lease());
        for (String name : routes.destinations()) {
            names[Long.numberOfTrailingZeros(routes.mask(name))] = name;
        }
    }

    long nanos() {
        return now.nanos();
    }

    /** Whether what is sent now can be recorded afterwards, as far as anybody knows. */
    boolean canRecord() {
        return !trouble.isOn() && !setAside.isFull();
    }

    @Nullable
    OwnedLane lane(int number) {
        return lanes.get(number);
    }

    /** The lane, if it is still the one that the latest read was made for. */
    @Nullable
    OwnedLane laneOfRead(int number) {
        OwnedLane lane = lanes.get(number);
        return lane != null && lanesOfRead.get(number) == lane ? lane : null;
    }

    /** The destination of a single bit. */
    String name(long bit) {
        String name = names[Long.numberOfTrailingZeros(bit)];
        if (name == null) {
            throw new IllegalStateException("bit " + bit + " is no destination's");
        }
        return name;
    }

    /** The destinations of these bits. */
    List<String> names(long bits) {
        List<String> found = new ArrayList<>();
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            found.add(name(Long.lowestOneBit(rest)));
        }
        return found;
    }

    /** How long a closed breaker rests before a message is tried for the first time. */
    Duration probeInterval(GateKey breaker) {
        return settings.probeIntervals().apply(Objects.requireNonNull(breaker.destination()));
    }

    /**
     * How long it rests before the next one is tried: twice as long after each that failed, up to {@link
     * #LONGEST_PROBE_PAUSE}, and up to a fifth less so that a fleet does not come all at once; never less than at first.
     */
    Duration probePause(Gates.Gate gate) {
        long first = probeInterval(gate.key).toNanos();
        if (gate.failedProbes == 0) {
            return Duration.ofNanos(first);
        }
        double grown = Math.min(first * Math.pow(2, gate.failedProbes), (double) LONGEST_PROBE_PAUSE.toNanos());
        double spread = grown * (0.8 + 0.2 * random.getAsDouble());
        return Duration.ofNanos(Math.max(first, (long) spread));
    }

    /** Closes a gate, and looks again at everything that waited for it. */
    Gates.Gate close(GateKey key, String why) {
        boolean news = !gates.isClosed(key);
        Gates.Gate gate = gates.close(key, why);
        if (news) {
            tell(key, true, why);
            if (key.kind() != GateKey.Kind.FULL) {
                memory.ready.addAll(memory.entries());
            }
        }
        return gate;
    }

    /** Opens a gate, and reads again what was put off because of it. */
    void open(GateKey key, String why) {
        if (gates.isClosed(key)) {
            gates.open(key);
            tell(key, false, why);
            lanes.values().forEach(lane -> lane.unpark(key));
            memory.ready.addAll(memory.entries());
        }
    }

    /** Topics without a route of which no lane of ours has messages any more: they are others' to hold, or to send. */
    void forgetUnrouted() {
        for (Gates.Gate gate : gates.all()) {
            if (gate.key.kind() == GateKey.Kind.NO_ROUTE
                    && lanes.values().stream().noneMatch(lane -> lane.hasParked(gate.key))) {
                open(gate.key, "given back");
            }
        }
    }

    private void tell(GateKey key, boolean closed, String why) {
        boolean isOfDestination = key.kind() == GateKey.Kind.BREAKER || key.kind() == GateKey.Kind.NO_ROUTE;
        if (isOfDestination && key.destination() != null) {
            listener.breaker(key.destination(), key.topic(), closed, why);
        } else if (key.kind() == GateKey.Kind.NO_ROUTE) {
            listener.unrouted(Objects.requireNonNull(key.topic()), closed);
        }
    }
}
