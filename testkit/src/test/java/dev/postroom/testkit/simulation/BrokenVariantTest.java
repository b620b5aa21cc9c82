package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator notices what is broken: whoever sees nothing wrong has to be shown to have looked. */
class BrokenVariantTest {
    private static final int MOST_SEEDS = 300;

    /** What each must be caught by; several where the first to look is a matter of luck. */
    private static final Map<BrokenVariant, Set<Invariant>> CAUGHT_BY = Map.ofEntries(
            Map.entry(BrokenVariant.NO_FENCE, Set.of(Invariant.I8, Invariant.I4)),
            Map.entry(BrokenVariant.SUCCESS_BEFORE_CONFIRM, Set.of(Invariant.I1)),
            Map.entry(BrokenVariant.LATE_ROWS_NEVER_READ, Set.of(Invariant.I10, Invariant.I3)),
            Map.entry(BrokenVariant.ATTEMPTS_COUNTED_IN_OUTAGE, Set.of(Invariant.I4)),
            Map.entry(BrokenVariant.LEASE_BY_WALL_CLOCK, Set.of(Invariant.I5)),
            Map.entry(BrokenVariant.HOLDERS_IGNORED, Set.of(Invariant.I3)),
            Map.entry(BrokenVariant.DIRTY_READS, Set.of(Invariant.I2)),
            Map.entry(BrokenVariant.SENT_TWICE, Set.of(Invariant.I6)),
            Map.entry(BrokenVariant.STALE_READS, Set.of(Invariant.I7)),
            Map.entry(BrokenVariant.SETTLED_NOTHING, Set.of(Invariant.I6, Invariant.I7, Invariant.I10)),
            Map.entry(BrokenVariant.CRASHES_NOT_COUNTED, Set.of(Invariant.I10)),
            Map.entry(BrokenVariant.ROUTINGS_HIDDEN, Set.of(Invariant.ONE_ROUTING)),
            Map.entry(BrokenVariant.ROUTING_DELAY_IGNORED, Set.of(Invariant.ONE_ROUTING)),
            Map.entry(BrokenVariant.ROUTINGS_NEVER_GONE, Set.of(Invariant.I10)));

    @ParameterizedTest
    @EnumSource
    void is_caught_by_a_seed_that_passes_otherwise(BrokenVariant variant) {
        SimulationOptions broken = SimulationOptions.DEFAULT.broken(variant);
        for (long seed = 1; seed <= MOST_SEEDS; seed++) {
            SimulationReport report = new Simulation(seed, broken).run();
            boolean caught = report.failure()
                    .map(failure -> CAUGHT_BY.get(variant).contains(failure.invariant()))
                    .orElse(false);
            if (caught && new Simulation(seed, SimulationOptions.DEFAULT).run().passed()) {
                return;
            }
        }
        assertThat(MOST_SEEDS)
                .as("%s stays unnoticed after so many seeds", variant)
                .isZero();
    }
}
