package dev.postroom.testbed.suite;

import dev.postroom.testbed.suite.TestResult.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Says how far the run is, what failed as soon as it fails, and at the end what it cost. Safe for use by several threads. */
final class Report {

    private static final int SLOWEST = 10;

    private final Path root;
    private final PrintStream out;
    private final List<ClassRun> runs = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final Map<String, String> notTested = new TreeMap<>();
    private final boolean everything;
    private final Duration build;
    private final Optional<Processors> before;
    private final long started = System.nanoTime();
    private int expected;

    Report(Options options, PrintStream out) {
        this.out = out;
        this.root = options.root();
        this.everything = options.isEverything();
        this.build = options.build().took();
        this.before = Processors.read(options.build().statistics());
    }

    synchronized void complain(String text) {
        complaints.add(text);
        out.println("FAILED " + text);
    }

    /** Something that cannot be tested on this machine: that does not fail the run. */
    synchronized void notTested(String what, String reason) {
        notTested.put(what, reason);
        out.println("NOT TESTED " + what + ": " + reason);
    }

    synchronized void say(String text) {
        out.println(text);
    }

    synchronized void begin(int classes, Options options) {
        expected = classes;
        out.printf(
                Locale.ROOT,
                "Test classes: %d, %d at a time; what they print goes to %s%n",
                classes,
                Math.min(options.workers(), classes),
                root.relativize(Suite.outputFolder(root)));
    }

    synchronized void add(ClassRun run) {
        runs.add(run);
        out.printf(
                Locale.ROOT,
                "[%3d/%d %s] %-6s %6.1f s %4d tests  %s %s%n",
                runs.size(),
                expected,
                clock((System.nanoTime() - started) / 1_000_000),
                run.failed() ? "FAILED" : "ok",
                run.millis() / 1000.0,
                run.results().size(),
                run.job().place(),
                run.job().title());
        if (run.failed()) {
            explain(run);
        }
    }

    private void explain(ClassRun run) {
        for (TestResult result : run.results()) {
            if (result.outcome() == Outcome.FAILED) {
                out.println("  FAILED " + result.title());
                out.println(result.details().indent(4).stripTrailing());
            }
        }
        if (!run.printed().isBlank()) {
            out.println("  The end of its JVM's output:");
            out.println(run.printed().indent(4).stripTrailing());
        }
    }

    synchronized List<ClassRun> runs() {
        return List.copyOf(runs);
    }

    synchronized boolean isGreen() {
        return complaints.isEmpty() && runs.stream().noneMatch(ClassRun::failed);
    }

    synchronized void finish() throws IOException {
        if (runs.size() < expected) {
            complain((expected - runs.size()) + " classes were never run: a worker ended early, see above");
        }
        if (everything) {
            Requirements.of(root, runs).print(out);
        }
        printSlowest();
        printModules();
        printSkipped();
        printNotTested();
        printFailures();
        printCost();
        out.printf(
                Locale.ROOT,
                "%n%d passed, %d failed, %d skipped%n",
                count(Outcome.PASSED),
                count(Outcome.FAILED),
                count(Outcome.SKIPPED));
    }

    private void printCost() {
        long tests = (System.nanoTime() - started) / 1_000_000;
        out.printf("%nThe tests took %s", clock(tests));
        out.printf(", with the build %s", clock(tests + build.toMillis()));
        before.flatMap(earlier -> Processors.read(Processors.STATISTICS).map(now -> now.since(earlier)))
                .ifPresent(used -> out.printf(
                        Locale.ROOT,
                        "; the machine's cores were %d %% busy: %.1f minutes of CPU",
                        used.percent(),
                        used.busyMinutes()));
        out.println();
    }

    /** Writes one line for each test, for tools. */
    synchronized void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        for (ClassRun run : runs) {
            for (TestResult result : run.results()) {
                text.append(String.join(
                                "\t",
                                result.outcome().name(),
                                Long.toString(result.millis()),
                                run.job().place(),
                                result.type(),
                                result.name()))
                        .append('\n');
            }
        }
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }

    private long count(Outcome outcome) {
        return runs.stream().mapToLong(run -> run.count(outcome)).sum();
    }

    private void printSlowest() {
        out.printf("%nThe slowest classes: seconds, CPU of their JVMs%n");
        runs.stream()
                .sorted(Comparator.comparingLong(ClassRun::millis).reversed())
                .limit(SLOWEST)
                .forEach(run -> out.printf(
                        Locale.ROOT,
                        "%8.1f %6.1f  %s %s%n",
                        run.millis() / 1000.0,
                        run.cpuMillis() / 1000.0,
                        run.job().place(),
                        run.job().title()));
    }

    private void printModules() {
        Map<String, long[]> modules = new TreeMap<>();
        for (ClassRun run : runs) {
            long[] sums = modules.computeIfAbsent(run.job().place(), name -> new long[3]);
            sums[0] += run.millis();
            sums[1] += run.cpuMillis();
            sums[2] += run.results().size();
        }
        out.printf("%nModules: seconds, CPU of their JVMs, tests%n");
        modules.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, long[]> entry) -> entry.getValue()[0])
                        .reversed())
                .forEach(entry -> out.printf(
                        Locale.ROOT,
                        "%8.1f %6.1f %5d  %s%n",
                        entry.getValue()[0] / 1000.0,
                        entry.getValue()[1] / 1000.0,
                        entry.getValue()[2],
                        entry.getKey()));
    }

    private void printSkipped() {
        if (count(Outcome.SKIPPED) == 0) {
            out.printf("%nNothing was skipped.%n");
            return;
        }
        out.printf("%nSkipped%n");
        runs.stream()
                .flatMap(run -> run.results().stream())
                .filter(result -> result.outcome() == Outcome.SKIPPED)
                .forEach(result -> out.printf("  %s: %s%n", result.title(), result.details()));
    }

    private void printNotTested() {
        if (!notTested.isEmpty()) {
            out.printf("%nNot tested, because it is not available here%n");
            notTested.forEach((what, reason) -> out.print((what + ": " + reason).indent(2)));
        }
    }

    private void printFailures() {
        if (isGreen()) {
            return;
        }
        out.printf("%nFailed%n");
        complaints.forEach(complaint -> out.println("  " + complaint));
        for (ClassRun run : runs) {
            run.results().stream()
                    .filter(result -> result.outcome() == Outcome.FAILED)
                    .forEach(result -> out.printf(
                            "  %s %s: %s%n",
                            run.job().place(),
                            result.title(),
                            result.details().lines().findFirst().orElse("")));
        }
    }

    private static String clock(long millis) {
        return String.format(Locale.ROOT, "%d:%02d", millis / 60_000, millis / 1000 % 60);
    }
}
