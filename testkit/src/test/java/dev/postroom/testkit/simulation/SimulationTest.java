package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testkit.simulation.database.Personality;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine under seeded faults: every invariant holds, whatever happens. */
class SimulationTest {
    /** For every change; {@code ./postroom simulate} goes on from here, as does {@code ./postroom test --all}. */
    private static final int SEEDS = 60;

    /** Where a handful of messages and streams fills everything: what is met there is in {@link ExpectedFailure}. */
    private static final Set<Fault> TIGHT = EnumSet.of(Fault.LITTLE_MEMORY, Fault.SMALL_BOUNDS, Fault.SMALL_SETS);

    private static final SimulationOptions MANY_FAULTS =
            SimulationOptions.DEFAULT.someOf(EnumSet.complementOf(EnumSet.copyOf(TIGHT)));

    @ParameterizedTest
    @EnumSource(Personality.class)
    @Tag("I1")
    @Tag("I2")
    @Tag("I3")
    @Tag("I4")
    @Tag("I5")
    @Tag("I6")
    @Tag("I7")
    @Tag("I8")
    @Tag("I9")
    @Tag("I10")
    @Tag("R20")
    @Tag("R21")
    @Tag("R22")
    @Tag("R26")
    @Tag("R28")
    @Tag("R29")
    @Tag("R30")
    @Tag("R31")
    @Tag("R33")
    @Tag("R35")
    void every_invariant_holds_with_many_faults_at_once(Personality personality) {
        allPass(SEEDS, MANY_FAULTS.personality(personality));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("I1")
    @Tag("I3")
    @Tag("I9")
    @Tag("I10")
    void every_invariant_holds_with_this_fault(Fault fault) {
        allPass(15, SimulationOptions.DEFAULT.allOf(EnumSet.of(fault)));
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(Personality.class)
    void every_invariant_holds_with_many_faults_at_once_in_more_seeds(Personality personality) {
        allPass(300, MANY_FAULTS.personality(personality));
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void every_invariant_holds_with_this_fault_in_more_seeds(Fault fault) {
        allPass(300, SimulationOptions.DEFAULT.allOf(EnumSet.of(fault)));
        allPass(300, SimulationOptions.DEFAULT.allOf(EnumSet.of(fault, Fault.CRASH, Fault.LOST_REPLY, Fault.OPERATOR)));
    }

    static void allPass(int seeds, SimulationOptions options) {
        Map<Long, String> failures = new ConcurrentSkipListMap<>();
        LongStream.rangeClosed(1, seeds).parallel().forEach(seed -> {
            SimulationReport report = new Simulation(seed, options).run();
            if (!report.passed()) {
                failures.put(seed, report.describe());
            }
        });
        assertThat(failures.keySet()).as("%s", failures).isEmpty();
    }

    /** Where outcomes cannot be recorded, most goes wrong while destinations are slow and little fits into memory. */
    @Test
    @Tag("I7")
    @Tag("R60")
    void what_the_database_refuses_to_record_is_not_sent_again_by_the_relay_that_knows_of_it() {
        EnumSet<Fault> faults = EnumSet.of(
                Fault.REFUSED_VALUES,
                Fault.OPERATOR,
                Fault.DESTINATION_OUTAGE,
                Fault.SLOW_DESTINATION,
                Fault.LITTLE_MEMORY);
        allPass(500, SimulationOptions.DEFAULT.allOf(faults));
    }

    /** Deployments and rollbacks, while relays die, stand still, lose answers, and clocks are set. */
    @Test
    @Tag("I1")
    @Tag("I3")
    @Tag("R61")
    void only_relays_whose_routes_are_in_force_send_while_versions_come_and_go() {
        EnumSet<Fault> faults = EnumSet.of(
                Fault.DEPLOYMENT,
                Fault.CRASH,
                Fault.PAUSE,
                Fault.LOST_REPLY,
                Fault.DATABASE_OUTAGE,
                Fault.DATABASE_CLOCK,
                Fault.SLOW_DESTINATION);
        allPass(200, SimulationOptions.DEFAULT.allOf(EnumSet.of(Fault.DEPLOYMENT)));
        allPass(200, SimulationOptions.DEFAULT.allOf(faults));
    }

    @Test
    @Tag("I6")
    @Tag("I7")
    void without_faults_nothing_is_sent_twice_and_nothing_dies() {
        SimulationOptions calm = SimulationOptions.DEFAULT.allOf(EnumSet.noneOf(Fault.class));
        for (long seed = 1; seed <= 50; seed++) {
            SimulationReport report = new Simulation(seed, calm).run();
            assertThat(report.failure()).as(report.describe()).isEmpty();
            assertThat(report.counts().duplicates()).isZero();
            assertThat(report.counts().dead()).isZero();
            assertThat(report.counts().arrivals()).isPositive();
        }
    }

    @Test
    void a_seed_replays_event_by_event() {
        for (long seed = 1; seed <= 20; seed++) {
            SimulationReport first = new Simulation(seed, SimulationOptions.DEFAULT).run();
            SimulationReport second = new Simulation(seed, SimulationOptions.DEFAULT).run();
            assertThat(second.fingerprint()).as("seed %d", seed).isEqualTo(first.fingerprint());
            assertThat(second.counts()).isEqualTo(first.counts());
        }
    }

    @Test
    @Tag("R26")
    @Tag("I4")
    void an_outage_of_hours_makes_no_dead_letter() {
        noDeadLetterAfterAnOutageOf(Duration.ofHours(3), 2);
    }

    @Test
    @Tag("long")
    @Tag("R26")
    @Tag("I4")
    void an_outage_of_seven_days_makes_no_dead_letter() {
        noDeadLetterAfterAnOutageOf(Duration.ofDays(7), 2);
    }

    private static void noDeadLetterAfterAnOutageOf(Duration duration, int seeds) {
        SimulationOptions outage =
                SimulationOptions.DEFAULT.allOf(EnumSet.noneOf(Fault.class)).outage(duration);
        LongStream.rangeClosed(1, seeds).parallel().forEach(seed -> {
            SimulationReport report = new Simulation(seed, outage).run();
            assertThat(report.failure()).as(report.describe()).isEmpty();
            assertThat(report.counts().virtualSeconds()).isGreaterThan(duration.toSeconds());
            assertThat(report.counts().dead()).isZero();
            assertThat(report.counts().arrivals()).isPositive();
        });
    }
}
