package dev.postroom.benchmark;

import dev.postroom.testkit.simulation.ExpectedFailure;
import dev.postroom.testkit.simulation.Fault;
import dev.postroom.testkit.simulation.Simulation;
import dev.postroom.testkit.simulation.SimulationOptions;
import dev.postroom.testkit.simulation.SimulationReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs seeds of the simulator. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the relay's engine in virtual time under seeded faults: crashes, pauses, clocks that jump, lost answers,"
                    + " outages, operators, late commits. A seed that breaks an invariant is printed with its history"
                    + " and with the command that replays it.",
            "Example: ./postroom simulate --seeds 20000"
        })
final class SimulateCommand implements Callable<Integer> {
    /** Failures that are told in full; of the others only the first line. */
    private static final int TOLD_IN_FULL = 3;

    private static final long PROGRESS_NANOS = Duration.ofSeconds(5).toNanos();

    @Option(names = "--seeds", defaultValue = "2000", description = "how many, default ${DEFAULT-VALUE}")
    long seeds;

    @Option(names = "--from", defaultValue = "1", description = "the first seed, default ${DEFAULT-VALUE}")
    long from;

    @Option(names = "--seconds", description = "no new seed after so many seconds")
    @Nullable
    Long seconds;

    @Option(
            names = "--faults",
            split = ",",
            description =
                    "each seed has all of these faults and no others: ${COMPLETION-CANDIDATES}; by default each has some")
    @Nullable
    List<Fault> faults;

    @Option(names = "--trace", description = "prints everything that happens in the first seed, and runs no other")
    boolean trace;

    @Option(names = "--json", description = "one JSON document")
    boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    private final AtomicLong done = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();
    /** The first seed that met each expected failure. */
    private final Map<ExpectedFailure, Long> expected = new ConcurrentSkipListMap<>();

    /** How many seeds met each. */
    private final Map<ExpectedFailure, Long> met = new ConcurrentSkipListMap<>();

    private final AtomicLong nextProgress = new AtomicLong();

    @Override
    public Integer call() {
        if (seeds < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds must be at least 1 (was " + seeds + ")");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (trace) {
            SimulationReport report = new Simulation(from, options(), out::println).run();
            out.println(report.describe());
            return report.passed() ? 0 : 1;
        }
        long start = System.nanoTime();
        List<SimulationReport> failures = run(start);
        double took = (System.nanoTime() - start) / 1e9;
        if (json) {
            out.println(json(failures, took));
        } else {
            print(out, failures, took);
        }
        return failures.isEmpty() ? 0 : 1;
    }

    private SimulationOptions options() {
        SimulationOptions options = SimulationOptions.DEFAULT;
        return faults == null ? options : options.allOf(EnumSet.copyOf(faults));
    }

    /** Seeds share nothing, so all processors take some. */
    private List<SimulationReport> run(long start) {
        long end =
                seconds == null ? Long.MAX_VALUE : Duration.ofSeconds(seconds).toNanos();
        nextProgress.set(PROGRESS_NANOS);
        return LongStream.range(from, from + seeds)
                .parallel()
                .filter(seed -> System.nanoTime() - start < end)
                .mapToObj(seed -> run(seed, start))
                .filter(report -> !report.passed())
                .sorted(Comparator.comparingLong(SimulationReport::seed))
                .toList();
    }

    private SimulationReport run(long seed, long start) {
        SimulationReport report = new Simulation(seed, options()).run();
        report.expected().keySet().forEach(one -> expected.merge(one, seed, Math::min));
        report.expected().keySet().forEach(one -> met.merge(one, 1L, Long::sum));
        long count = done.incrementAndGet();
        if (!report.passed()) {
            broken.incrementAndGet();
        }
        long passed = System.nanoTime() - start;
        long due = nextProgress.get();
        if (passed > due && nextProgress.compareAndSet(due, passed + PROGRESS_NANOS)) {
            PrintWriter err = spec.commandLine().getErr();
            err.printf(Locale.ROOT, "%d seeds, %d of them failed%n", count, broken.get());
            err.flush();
        }
        return report;
    }

    private void print(PrintWriter out, List<SimulationReport> failures, double took) {
        int told = 0;
        for (SimulationReport failure : failures) {
            String text = failure.describe();
            out.println(
                    told++ < TOLD_IN_FULL
                            ? text
                            : text.lines().findFirst().orElse("") + "\nreplay: " + failure.replay());
        }
        out.printf(
                Locale.ROOT,
                "%,d seeds in %.1f s: %s%n",
                done.get(),
                took,
                failures.isEmpty() ? "all invariants held" : failures.size() + " failed");
        printExpected(out);
        out.flush();
    }

    /** What the engine is known to fail, and how often it did. */
    private void printExpected(PrintWriter out) {
        for (ExpectedFailure one : ExpectedFailure.values()) {
            Long first = expected.get(one);
            out.printf(
                    Locale.ROOT,
                    "expected of the engine: %s, %s: %s%n",
                    one,
                    first == null ? "not met" : "in " + met.get(one) + " seeds, first in " + first,
                    one.reason());
        }
    }

    private String json(List<SimulationReport> failures, double took) {
        return String.format(
                Locale.ROOT,
                "{\"seeds\":%d,\"failures\":[%s],\"expected\":[%s],\"seconds\":%.1f}",
                done.get(),
                failures.stream().map(SimulateCommand::json).collect(Collectors.joining(",")),
                Arrays.stream(ExpectedFailure.values()).map(this::json).collect(Collectors.joining(",")),
                took);
    }

    private String json(ExpectedFailure one) {
        return "{\"name\":\"" + one + "\",\"invariant\":\"" + one.invariant() + "\",\"seeds\":"
                + met.getOrDefault(one, 0L) + ",\"reason\":"
                + quoted(one.reason()) + "}";
    }

    private static String json(SimulationReport report) {
        SimulationReport.Failure failure = report.failure().orElseThrow();
        return "{\"seed\":" + report.seed() + ",\"invariant\":\"" + failure.invariant() + "\",\"what\":"
                + quoted(failure.what()) + ",\"replay\":" + quoted(report.replay()) + "}";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
