package dev.postroom.testbed.suite;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Tests everything that has been built: {@code ./postroom test} starts it once Maven is done. */
public final class Suite {

    /** Tests with this tag run only when all are asked for. */
    static final String LONG = "long";

    private static final String RESULTS = "results.tsv";

    private final Options options;
    private final Preparation preparation;
    private final Report report;

    Suite(Options options, Preparation preparation, PrintStream out) {
        this.options = options;
        this.preparation = preparation;
        this.report = new Report(options, out);
    }

    /** Runs it, with the project's root and then the options as arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        System.exit(new Suite(Options.parse(args), Preparation::fetch, System.out).run() ? 0 : 1);
    }

    /** Whether everything that can be tested here passed. */
    boolean run() throws IOException, InterruptedException {
        emptyOutputFolder();
        options.build().complaints().forEach(report::complain);
        List<Job> jobs = prepared(jobs());
        PastTimes times = PastTimes.read(options.root());
        Schedule schedule = new Schedule(jobs, times::expectedMillis);
        try (ServerDirectory servers = new ServerDirectory()) {
            servers.prepare(options.servers());
            report.begin(jobs.size(), options);
            List<Thread> workers = new ArrayList<>();
            for (int i = 1; i <= Math.min(options.workers(), jobs.size()); i++) {
                Thread worker =
                        new Thread(new Worker(i, options, schedule, servers.port(), report), "suite-worker-" + i);
                worker.start();
                workers.add(worker);
            }
            for (Thread worker : workers) {
                worker.join();
            }
        }
        complainOfWhatRanNoTest();
        report.finish();
        report.write(outputFolder(options.root()).resolve(RESULTS));
        times.write(report.runs());
        return report.isGreen();
    }

    /** What an earlier run printed and reported would look current. */
    private void emptyOutputFolder() throws IOException {
        Path folder = Files.createDirectories(outputFolder(options.root()));
        Files.deleteIfExists(folder.resolve(RESULTS));
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
            for (Path log : logs) {
                Files.delete(log);
            }
        }
    }

    /** A misspelt method would otherwise pass, and so would a module whose tests are not found. */
    private void complainOfWhatRanNoTest() {
        List<Job> ran = report.runs().stream()
                .filter(run -> !run.results().isEmpty())
                .map(ClassRun::job)
                .toList();
        if (options.isEverything() && ran.isEmpty()) {
            report.complain("no test ran");
        }
        for (String name : options.modules()) {
            if (ran.stream().noneMatch(job -> job.module().name().equals(name))) {
                report.complain("no test of module " + name + " ran");
            }
        }
        for (String test : options.tests()) {
            if (ran.stream().noneMatch(job -> job.selection().endsWith("." + test))) {
                report.complain("no test is called " + test);
            }
        }
    }

    private List<Job> jobs() throws IOException {
        Set<Job> jobs = new LinkedHashSet<>();
        for (String name : TestModule.names(options.root())) {
            if (!TestModule.hasTests(options.root(), name)) {
                continue;
            }
            if (TestModule.isBuilt(options.root(), name)) {
                TestModule module = TestModule.read(options.root(), name);
                Variant.of(options).forEach(variant -> select(variant, module, jobs));
            } else if (options.isEverything()) {
                report.complain("module " + name + " was not built, so nothing of it was tested");
            }
        }
        return List.copyOf(jobs);
    }

    /** Without those of variants that are not available here; the report names them. */
    private List<Job> prepared(List<Job> jobs) {
        Set<Variant> ready = new HashSet<>();
        for (Variant variant : jobs.stream().map(Job::variant).distinct().toList()) {
            try {
                preparation.prepare(variant).ifPresent(version -> report.say(variant.label() + " is " + version));
                ready.add(variant);
            } catch (IOException e) {
                report.notTested(variant.label(), String.valueOf(e.getMessage()));
            }
        }
        return jobs.stream().filter(job -> ready.contains(job.variant())).toList();
    }

    private void select(Variant variant, TestModule module, Set<Job> jobs) {
        boolean wholeModule = options.isEverything() || options.modules().contains(module.name());
        for (String type : module.testClasses()) {
            if (!variant.wants(type)) {
                continue;
            }
            if (wholeModule) {
                jobs.add(new Job(variant, module, type, options.all() && variant.isFirst()));
                continue;
            }
            for (String test : options.tests()) {
                int hash = test.indexOf('#');
                String wanted = hash < 0 ? test : test.substring(0, hash);
                if (type.endsWith("." + wanted)) {
                    // Whoever names a test wants it, however long it takes.
                    jobs.add(new Job(variant, module, hash < 0 ? type : type + test.substring(hash), true));
                }
            }
        }
    }

    /** Where test JVMs write what they print. */
    static Path outputFolder(Path root) {
        return root.resolve("target/tests");
    }
}
