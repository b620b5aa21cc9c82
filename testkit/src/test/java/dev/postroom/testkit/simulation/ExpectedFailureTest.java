package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the engine is listed to fail, it fails: who repairs it has to take it off the list. */
class ExpectedFailureTest {
    private static final int MOST_SEEDS = 200;

    /** What shows each soonest. */
    private static final Map<ExpectedFailure, Set<Fault>> SHOWN_BY = Map.of(
            ExpectedFailure.READS_IN_VAIN,
            EnumSet.of(Fault.LITTLE_MEMORY, Fault.SMALL_SETS, Fault.ONE_STAYS_AWAY, Fault.FAILING_DESTINATION));

    @ParameterizedTest
    @EnumSource
    void is_met_by_some_seed(ExpectedFailure expected) {
        SimulationOptions options = SimulationOptions.DEFAULT.allOf(SHOWN_BY.get(expected));
        for (long seed = 1; seed <= MOST_SEEDS; seed++) {
            if (new Simulation(seed, options).run().expected().containsKey(expected)) {
                return;
            }
        }
        assertThat(MOST_SEEDS).as("%s is not met in so many seeds", expected).isZero();
    }
}
