package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
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
            Map.entry(BrokenVariant.LATE_ROWS_NEVER_READ, Set.of(Invariant.PLACED, Invariant.I3)),
            Map.entry(BrokenVariant.LATE_ROWS_CUT_UNSAID, Set.of(Invariant.PLACED, Invariant.I3)),
            Map.entry(BrokenVariant.NOTHING_SWEPT, Set.of(Invariant.I10)),
            Map.entry(BrokenVariant.FOREIGN_ALWAYS_LATE, Set.of(Invariant.COST)),
            Map.entry(BrokenVariant.ATTEMPTS_COUNTED_IN_OUTAGE, Set.of(Invariant.I4)),
            Map.entry(BrokenVariant.LEASE_BY_WALL_CLOCK, Set.of(Invariant.I5)),
            Map.entry(BrokenVariant.HOLDERS_IGNORED, Set.of(Invariant.I3)),
            Map.entry(BrokenVariant.DIRTY_READS, Set.of(Invariant.I2)),
            Map.entry(BrokenVariant.SENT_TWICE, Set.of(Invariant.I6)),
            Map.entry(BrokenVariant.STALE_READS, Set.of(Invariant.I7)),
            Map.entry(BrokenVariant.SETTLED_NOTHING, Set.of(Invariant.I6, Invariant.I7, Invariant.I10)),
            Map.entry(BrokenVariant.CRASHES_NOT_COUNTED, Set.of(Invariant.I10)),
            Map.entry(BrokenVariant.PIPELINE_WITHOUT_ORDER, Set.of(Invariant.I3)),
            Map.entry(BrokenVariant.READS_WAIT_FOR_ALL, Set.of(Invariant.INDEPENDENCE)),
            Map.entry(BrokenVariant.READS_EVERYTHING, Set.of(Invariant.COST)),
            Map.entry(BrokenVariant.NO_LIMITS, Set.of(Invariant.BOUNDED_READS)),
            Map.entry(BrokenVariant.FAILOVER_UNNOTICED, Set.of(Invariant.PLACED, Invariant.I10)),
            Map.entry(BrokenVariant.RETRY_AFTER_HIDDEN, Set.of(Invariant.RETRY_AFTER)),
            Map.entry(BrokenVariant.FAILURES_NEVER_HOLD, Set.of(Invariant.OUTAGE_KILLS_NOTHING)),
            Map.entry(BrokenVariant.ROUTINGS_HIDDEN, Set.of(Invariant.ONE_ROUTING)),
            Map.entry(BrokenVariant.ROUTING_DELAY_IGNORED, Set.of(Invariant.ONE_ROUTING)),
            Map.entry(BrokenVariant.ROUTINGS_NEVER_GONE, Set.of(Invariant.I10)));

    /** The faults that bring some out at once; others are met with any. */
    private static final Map<BrokenVariant, Set<Fault>> BROUGHT_OUT_BY = Map.ofEntries(
            Map.entry(
                    BrokenVariant.NO_FENCE,
                    EnumSet.of(
                            Fault.PAUSE,
                            Fault.SLEEP,
                            Fault.DATABASE_TROUBLE,
                            Fault.FAILING_MESSAGE,
                            Fault.BREAKING_MESSAGE,
                            Fault.OPERATOR)),
            Map.entry(BrokenVariant.LATE_ROWS_CUT_UNSAID, EnumSet.of(Fault.SMALL_BOUNDS, Fault.LARGE_TRANSACTION)),
            Map.entry(BrokenVariant.NOTHING_SWEPT, EnumSet.of(Fault.RESTORED_ROWS)),
            Map.entry(BrokenVariant.FOREIGN_ALWAYS_LATE, EnumSet.of(Fault.FOREIGN_TRANSACTIONS)),
            Map.entry(BrokenVariant.PIPELINE_WITHOUT_ORDER, EnumSet.of(Fault.SLOW_DESTINATION)),
            Map.entry(BrokenVariant.READS_WAIT_FOR_ALL, EnumSet.of(Fault.ONE_STAYS_AWAY)),
            Map.entry(BrokenVariant.READS_EVERYTHING, EnumSet.of(Fault.SLOW_DESTINATION)),
            Map.entry(BrokenVariant.NO_LIMITS, EnumSet.of(Fault.SMALL_BOUNDS, Fault.LARGE_TRANSACTION)),
            Map.entry(BrokenVariant.FAILOVER_UNNOTICED, EnumSet.of(Fault.FAILOVER)),
            Map.entry(BrokenVariant.RETRY_AFTER_HIDDEN, EnumSet.of(Fault.FAILING_DESTINATION)),
            Map.entry(BrokenVariant.FAILURES_NEVER_HOLD, EnumSet.of(Fault.FAILING_DESTINATION)));

    private static SimulationOptions options(BrokenVariant variant) {
        Set<Fault> faults = BROUGHT_OUT_BY.get(variant);
        return faults == null ? SimulationOptions.DEFAULT : SimulationOptions.DEFAULT.allOf(faults);
    }

    @ParameterizedTest
    @EnumSource
    void is_caught_by_a_seed_that_passes_otherwise(BrokenVariant variant) {
        SimulationOptions options = options(variant);
        for (long seed = 1; seed <= MOST_SEEDS; seed++) {
            SimulationReport report = new Simulation(seed, options.broken(variant)).run();
            if (isCaught(report, variant) && isWell(new Simulation(seed, options).run(), variant)) {
                return;
            }
        }
        assertThat(MOST_SEEDS)
                .as("%s stays unnoticed after so many seeds", variant)
                .isZero();
    }

    /** Also where the engine is expected to fail now and then: the seed goes on, and tells it. */
    private static boolean isCaught(SimulationReport report, BrokenVariant variant) {
        Set<Invariant> by = CAUGHT_BY.get(variant);
        return report.failure().map(failure -> by.contains(failure.invariant())).orElse(false)
                || report.expected().keySet().stream().anyMatch(expected -> by.contains(expected.invariant()));
    }

    private static boolean isWell(SimulationReport report, BrokenVariant variant) {
        return report.passed() && !isCaught(report, variant);
    }
}
