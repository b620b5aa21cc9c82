package dev.postroom.testkit.simulation;

import dev.postroom.engine.BreakerSettings;
import dev.postroom.engine.EngineBounds;
import dev.postroom.engine.EngineSettings;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.spi.RowLimits;
import dev.postroom.testkit.simulation.database.Personality;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What a seed is about: how many relays with which settings, which topics, which faults.
 *
 * @param lanesInUse how many lanes streams are hashed to
 * @param streamIds how many ids streams are hashed to
 * @param activeNanos how long faults may happen; afterwards everything must come to its end
 * @param transactions how many the writers make
 * @param pipelines by destination, which topic of the broker a topic's messages go to, where order is kept
 * @param capacities how many messages a destination takes at a time, where that is few
 */
record Scenario(
        Personality personality,
        int lanesInUse,
        long streamIds,
        int relays,
        EngineSettings settings,
        List<List<Route>> versions,
        RetryPolicy retry,
        Set<Fault> faults,
        long activeNanos,
        int transactions,
        Map<String, UnaryOperator<String>> pipelines,
        Map<String, Integer> capacities) {
    static final List<String> DESTINATIONS = List.of("broker", "audit", "hook");

    /** Waited for by their streams, going on without, without a key as often as not; the last has no route. */
    static final List<String> TOPICS = List.of("orders.created", "orders.paid", "clicks", "mails", "unrouted");

    private static final int MAX_PAYLOAD = 1_000;

    /** Fewer than users have: there are fewer messages, too. */
    static final int FAILURES_IN_A_ROW = 8;

    static Scenario of(Dice dice, SimulationOptions options) {
        Personality personality = options.personality();
        Personality drawn = dice.chance(0.5) ? Personality.SNAPSHOTS : Personality.PORTABLE;
        boolean patient = options.outage() != null;
        RetryPolicy retry = new RetryPolicy(Duration.ofMillis(200), 2, Duration.ofSeconds(3), 0.2, dice.between(2, 4));
        Set<Fault> faults = faults(dice, options);
        return new Scenario(
                personality == null ? drawn : personality,
                dice.pick(List.of(1, 3, 8, 64)),
                dice.chance(0.1) ? 3 : Long.MAX_VALUE,
                patient ? 1 : dice.between(1, 4),
                patient ? patientSettings(dice) : settings(dice, faults, failuresInARow(options)),
                versions(retry),
                retry,
                faults,
                activeNanos(dice, options),
                dice.between(10, 45),
                pipelines(dice),
                capacities(dice, faults.contains(Fault.NARROW_DESTINATION)));
    }

    /** Some brokers keep order: topic by topic, or with all orders in one. */
    private static Map<String, UnaryOperator<String>> pipelines(Dice dice) {
        Map<String, UnaryOperator<String>> pipelines = new TreeMap<>();
        if (dice.chance(0.4)) {
            pipelines.put("broker", topic -> topic.startsWith("orders.") ? "orders" : topic);
        }
        if (dice.chance(0.2)) {
            pipelines.put("audit", UnaryOperator.identity());
        }
        return pipelines;
    }

    /** How many messages a destination takes at a time, where that is few. */
    private static Map<String, Integer> capacities(Dice dice, boolean narrow) {
        return narrow ? Map.of(dice.pick(List.of("audit", "hook")), dice.between(1, 3)) : Map.of();
    }

    /** Whether each destination can have a share of the memory, and all streams can be remembered there. */
    boolean hasRoomForAll() {
        int messages = 2 * DESTINATIONS.size();
        return settings.maxInFlight() >= messages
                && settings.maxInFlightBytes() >= messages * 40L
                && !has(Fault.SMALL_SETS);
    }

    /** The second sends more of them to more places; policies are the same, so that all else can be judged by the first. */
    private static List<List<Route>> versions(RetryPolicy retry) {
        Route clicks = Route.of("clicks", "broker").onFailure(OnFailure.SKIP);
        Route mails = Route.of("mails", "hook").retry(retry.maxAttempts(3));
        return List.of(
                List.of(Route.of("orders.*", "broker", "audit"), clicks, mails),
                List.of(
                        Route.of("orders.*", "broker", "audit", "hook"),
                        clicks,
                        Route.of("mails", "hook", "audit").retry(retry.maxAttempts(3)),
                        Route.of("unrouted", "hook")));
    }

    private static long activeNanos(Dice dice, SimulationOptions options) {
        long drawn = dice.millis(6_000, 25_000);
        // The outage begins after a hundredth of the time, and lasts until its end.
        return options.outage() == null ? drawn : options.outage().toNanos() / 99 * 100;
    }

    private static Set<Fault> faults(Dice dice, SimulationOptions options) {
        Set<Fault> drawn = EnumSet.noneOf(Fault.class);
        double share = dice.pick(List.of(0.0, 0.15, 0.3, 0.3, 0.6));
        for (Fault fault : Fault.values()) {
            boolean wanted = dice.chance(share) || options.allFaults();
            if (wanted && options.faults().contains(fault)) {
                drawn.add(fault);
            }
        }
        return drawn;
    }

    private static EngineSettings settings(Dice dice, Set<Fault> faults, int failuresInARow) {
        boolean littleMemory = faults.contains(Fault.LITTLE_MEMORY);
        Duration lease = Duration.ofMillis(dice.pick(List.of(1_000, 2_000, 4_000)));
        return new EngineSettings(
                "none",
                "host",
                "simulated",
                lease,
                dice.pick(List.of(1, 3, 10, 50)),
                Duration.ofMillis(dice.between(2, 20)),
                Duration.ofMillis(dice.pick(List.of(200, 1_000, 2_000))),
                littleMemory ? dice.pick(List.of(1, 2, 5, 8)) : dice.pick(List.of(20, 200)),
                littleMemory ? dice.pick(List.of(60, 500)) : 100_000,
                RowLimits.ofPayload(MAX_PAYLOAD),
                dice.between(1, 3),
                200,
                dice.chance(0.5),
                EngineSettings.shortestRoutingDelay(lease),
                breakers(dice, failuresInARow),
                bounds(dice, faults));
    }

    private static EngineBounds bounds(Dice dice, Set<Fault> faults) {
        EngineBounds wide = EngineBounds.DEFAULT;
        int behind = faults.contains(Fault.SMALL_SETS) ? dice.between(2, 10) : wide.behindStreams();
        if (!faults.contains(Fault.SMALL_BOUNDS)) {
            return new EngineBounds(
                    wide.streamShare(),
                    behind,
                    wide.parts(),
                    wide.probes(),
                    wide.lateRows(),
                    wide.dueRows(),
                    wide.sweptKeys(),
                    wide.streamsPerRead(),
                    wide.holdersPerRead());
        }
        return new EngineBounds(
                dice.between(1, 4),
                behind,
                dice.between(1, 2),
                dice.between(1, 3),
                dice.between(3, 10),
                dice.between(2, 10),
                dice.between(3, 10),
                dice.between(1, 5),
                dice.between(2, 10));
    }

    private static int failuresInARow(SimulationOptions options) {
        return options.isBroken(BrokenVariant.FAILURES_NEVER_HOLD) ? 0 : FAILURES_IN_A_ROW;
    }

    private static Function<String, BreakerSettings> breakers(Dice dice, int failuresInARow) {
        Duration most = Duration.ofMillis(dice.pick(List.of(50, 200, 1_000)));
        Duration others = Duration.ofMillis(dice.pick(List.of(50, 200, 1_000)));
        return destination -> new BreakerSettings(destination.hashCode() % 2 == 0 ? most : others, failuresInARow);
    }

    /** As in production, more or less: days pass without millions of polls. */
    private static EngineSettings patientSettings(Dice dice) {
        Duration lease = Duration.ofMinutes(30);
        return new EngineSettings(
                "none",
                "host",
                "simulated",
                lease,
                50,
                Duration.ofMillis(100),
                Duration.ofMinutes(5),
                dice.pick(List.of(5, 200)),
                100_000,
                RowLimits.ofPayload(MAX_PAYLOAD),
                3,
                200,
                true,
                EngineSettings.shortestRoutingDelay(lease),
                destination -> new BreakerSettings(Duration.ofMinutes(1), FAILURES_IN_A_ROW),
                EngineBounds.DEFAULT);
    }

    long leaseNanos() {
        return settings.lease().toNanos();
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }
}
