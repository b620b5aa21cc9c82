package dev.postroom.testkit.simulation;

import dev.postroom.engine.EngineSettings;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.spi.RowLimits;
import dev.postroom.testkit.simulation.database.Personality;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What a seed is about: how many relays with which settings, which topics, which faults.
 *
 * @param lanesInUse how many lanes streams are hashed to
 * @param activeNanos how long faults may happen; afterwards everything must come to its end
 * @param transactions how many the writers make
 */
record Scenario(
        Personality personality,
        int lanesInUse,
        int relays,
        EngineSettings settings,
        List<List<Route>> versions,
        RetryPolicy retry,
        Set<Fault> faults,
        long activeNanos,
        int transactions) {
    static final List<String> DESTINATIONS = List.of("broker", "audit", "hook");

    /** Waited for by their streams, going on without, without a key as often as not; the last has no route. */
    static final List<String> TOPICS = List.of("orders.created", "orders.paid", "clicks", "mails", "unrouted");

    private static final int MAX_PAYLOAD = 1_000;

    static Scenario of(Dice dice, SimulationOptions options) {
        Personality personality = options.personality();
        Personality drawn = dice.chance(0.5) ? Personality.SNAPSHOTS : Personality.PORTABLE;
        boolean patient = options.outage() != null;
        RetryPolicy retry = new RetryPolicy(Duration.ofMillis(200), 2, Duration.ofSeconds(3), 0.2, dice.between(2, 4));
        Set<Fault> faults = faults(dice, options);
        return new Scenario(
                personality == null ? drawn : personality,
                dice.pick(List.of(1, 3, 8, 64)),
                patient ? 1 : dice.between(1, 4),
                patient ? patientSettings(dice) : settings(dice, faults.contains(Fault.LITTLE_MEMORY)),
                versions(retry),
                retry,
                faults,
                activeNanos(dice, options),
                dice.between(10, 45));
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

    private static EngineSettings settings(Dice dice, boolean littleMemory) {
        Duration lease = Duration.ofMillis(dice.pick(List.of(1_000, 2_000, 4_000)));
        return new EngineSettings(
                "none",
                "host",
                "simulated",
                lease,
                dice.pick(List.of(1, 3, 10, 50)),
                Duration.ofMillis(dice.between(2, 20)),
                Duration.ofMillis(dice.pick(List.of(200, 1_000, 2_000))),
                littleMemory ? dice.pick(List.of(1, 2, 5)) : dice.pick(List.of(20, 200)),
                littleMemory ? dice.pick(List.of(60, 500)) : 100_000,
                RowLimits.ofPayload(MAX_PAYLOAD),
                dice.between(1, 3),
                200,
                dice.chance(0.5),
                EngineSettings.shortestRoutingDelay(lease),
                probeIntervals(dice));
    }

    private static Function<String, Duration> probeIntervals(Dice dice) {
        Duration most = Duration.ofMillis(dice.pick(List.of(50, 200, 1_000)));
        Duration others = Duration.ofMillis(dice.pick(List.of(50, 200, 1_000)));
        return destination -> destination.hashCode() % 2 == 0 ? most : others;
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
                destination -> Duration.ofMinutes(1));
    }

    long leaseNanos() {
        return settings.lease().toNanos();
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }
}
