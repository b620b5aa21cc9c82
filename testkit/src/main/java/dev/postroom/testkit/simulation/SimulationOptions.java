package dev.postroom.testkit.simulation;

import dev.postroom.testkit.simulation.database.Personality;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a simulation may do. Whatever is not said here is decided by the seed.
 *
 * @param personality the database's, or null: by the seed
 * @param faults those that a seed may have
 * @param allFaults whether a seed has all of them, instead of some
 * @param broken what is broken on purpose, or null
 * @param outage all destinations are away for this long, and leases and polls are as long as production's; or null
 */
public record SimulationOptions(
        @Nullable Personality personality,
        Set<Fault> faults,
        boolean allFaults,
        @Nullable BrokenVariant broken,
        @Nullable Duration outage) {

    /** Both personalities, some faults of all kinds, nothing broken. */
    public static final SimulationOptions DEFAULT =
            new SimulationOptions(null, EnumSet.allOf(Fault.class), false, null, null);

    public SimulationOptions {
        faults = faults.isEmpty() ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(faults);
    }

    public SimulationOptions personality(Personality wanted) {
        return new SimulationOptions(wanted, faults, allFaults, broken, outage);
    }

    /** Each seed has some of these. */
    public SimulationOptions someOf(Set<Fault> wanted) {
        return new SimulationOptions(personality, wanted, false, broken, outage);
    }

    /** Each seed has all of these. */
    public SimulationOptions allOf(Set<Fault> wanted) {
        return new SimulationOptions(personality, wanted, true, broken, outage);
    }

    public SimulationOptions broken(BrokenVariant variant) {
        return new SimulationOptions(personality, faults, allFaults, variant, outage);
    }

    public SimulationOptions outage(Duration length) {
        return new SimulationOptions(personality, faults, allFaults, broken, length);
    }

    /** The command that runs this seed again. */
    String replay(long seed) {
        String command = "./postroom simulate --seeds 1 --from " + seed;
        return allFaults ? command + " --faults " + names() : command;
    }

    private String names() {
        return faults.stream().map(Fault::name).collect(Collectors.joining(","));
    }

    boolean isBroken(BrokenVariant variant) {
        return broken == variant;
    }
}
