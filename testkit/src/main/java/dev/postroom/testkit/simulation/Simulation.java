package dev.postroom.testkit.simulation;

import dev.postroom.spi.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One seed: relays, writers, operators and faults in virtual time, watched by one check per invariant. The same seed and
 * options give the same run, event by event. For one thread; run it once.
 */
public final class Simulation {
    /** How long everything may take to come to its end once faults have ended. */
    private static final long PATIENCE = 300 * Dice.SECOND;

    /** How long what flows around something that stays away may take. */
    private static final long FLOWING = 60 * Dice.SECOND;

    /** Of a usual seed, which has thousands; days of an outage have millions, because relays look for pauses each second. */
    private static final long MOST_EVENTS = 2_000_000;

    /** A relay that finds something at each look, ten times a second, has so many in seven days. */
    private static final long MOST_EVENTS_OF_AN_OUTAGE = 40_000_000;

    private final long seed;
    private final World world;
    private final Writers writers;
    private final OperatorActions operators;
    private final Chaos chaos;
    private final Standing standing;
    private long lastGoodOnes;

    public Simulation(long seed, SimulationOptions options) {
        this(seed, options, null);
    }

    /** With somebody who is told everything that happens, line by line. */
    public Simulation(long seed, SimulationOptions options, @Nullable Consumer<String> trace) {
        this.seed = seed;
        this.world = new World(seed, options, trace);
        this.writers = new Writers(world);
        this.operators = world.operators();
        this.chaos = new Chaos(world, operators);
        this.standing = new Standing(world);
    }

    /** Runs to the end, or to the first invariant that does not hold. */
    public SimulationReport run() {
        try {
            suffer();
            if (world.scenario.has(Fault.ONE_STAYS_AWAY)) {
                flowAround();
            }
            recover();
            stop();
            return report(Optional.empty());
        } catch (Violation violation) {
            return report(Optional.of(failure(violation)));
        }
    }

    private void suffer() {
        writers.begin();
        chaos.begin();
        world.fleet.startAll();
        runUntil(world.scenario.activeNanos());
    }

    /** All is well again but for one thing, and whatever does not need that is delivered, also what is written now. */
    private void flowAround() {
        chaos.end();
        Standstill standstill = new Standstill(world, world.newDice());
        standstill.begin();
        long writing = 10 * Dice.SECOND;
        writers.writeOn(writing);
        runUntil(world.timeline.now() + writing);
        long patience = FLOWING + 20 * world.scenario.leaseNanos();
        long end = world.timeline.now() + patience;
        while (world.timeline.now() < end && (writers.areBusy() || stopped(standstill) != null)) {
            runUntil(Math.min(end, world.timeline.now() + patience / 100));
            goodOnesTell(patience);
        }
        MessageStory stopped = stopped(standstill);
        String destination = stopped == null ? null : standing.openDestination(stopped, standstill);
        if (stopped != null && destination != null && world.scenario.hasRoomForAll() && hasRoomForGates()) {
            world.violated(new Violation(
                    Invariant.INDEPENDENCE,
                    stopped.key,
                    "could go to " + destination + " and did not while " + standstill
                            + standing.whereabouts(stopped, destination)));
        }
    }

    /**
     * Where nothing is left but messages that fail, a destination looks like one that fails everything. Users go on writing, and the
     * first success tells the difference.
     */
    private void goodOnesTell(long patience) {
        long now = world.timeline.now();
        if (world.scenario.has(Fault.FAILING_MESSAGE) && now - lastGoodOnes > patience / 20) {
            lastGoodOnes = now;
            writers.writeGoodOnes();
        }
    }

    /** Followers put off as many topics by themselves as they have parts; with more, the destination waits in that lane. */
    private boolean hasRoomForGates() {
        return world.scenario.settings().bounds().parts() >= Scenario.TOPICS.size();
    }

    private @Nullable MessageStory stopped(Standstill standstill) {
        for (MessageStory story : world.ledger.stories()) {
            if (standing.openDestination(story, standstill) != null) {
                return story;
            }
        }
        return null;
    }

    private void recover() {
        chaos.end();
        long patience = PATIENCE + 20 * world.scenario.leaseNanos();
        long end = world.timeline.now() + patience;
        while (world.timeline.now() < end && (writers.areBusy() || !standing.allAtRest())) {
            long next = Math.min(end, world.timeline.now() + patience / 300);
            runUntil(next);
            goodOnesTell(patience);
        }
        world.watchers.ended();
    }

    /** Nothing is left to do: relays that are asked to stop do so, and leave no lane behind. */
    private void stop() {
        world.fleet.stopAll();
        long end = world.timeline.now() + 10 * Dice.SECOND + 2 * world.scenario.leaseNanos();
        while (world.timeline.now() < end && !world.fleet.running().isEmpty()) {
            runUntil(Math.min(end, world.timeline.now() + Dice.SECOND));
        }
        for (RelayProcess relay : world.fleet.running()) {
            throw new Violation(Invariant.I10, null, relay.name() + " was asked to stop and did not");
        }
    }

    private void runUntil(long time) {
        long mostEvents = world.options.outage() == null ? MOST_EVENTS : MOST_EVENTS_OF_AN_OUTAGE;
        while (world.timeline.runNext(time)) {
            if (world.timeline.planned() > mostEvents) {
                throw new Violation(Invariant.I9, null, "more than " + mostEvents + " events: something goes round");
            }
        }
    }

    private SimulationReport report(Optional<SimulationReport.Failure> failure) {
        Ledger ledger = world.ledger;
        SimulationReport.Counts counts = new SimulationReport.Counts(
                ledger.stories().size(),
                ledger.arrivals(),
                ledger.duplicates(),
                ledger.dead(),
                world.timeline.now() / Dice.SECOND,
                world.timeline.planned());
        return new SimulationReport(
                seed, ledger.fingerprint(), counts, failure, world.expected(), world.options.replay(seed));
    }

    private List<String> history(@Nullable RowKey key) {
        return key == null ? List.of() : world.ledger.story(key).history();
    }

    private SimulationReport.Failure failure(Violation violation) {
        List<String> history = new ArrayList<>(history(violation.key()));
        history.addAll(history(violation.other()));
        return new SimulationReport.Failure(
                violation.invariant(),
                String.valueOf(violation.getMessage()),
                world.scenario.toString(),
                history,
                world.ledger.happened());
    }
}
