package dev.postroom.testbed.suite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code ./postroom test} asks for.
 *
 * @param all also what takes long
 * @param silenceLimit a test JVM that reports nothing for so long hangs
 * @param otherJdks to test with, one after the other, beside the one that the suite itself runs on
 * @param modules those to test wholly
 * @param tests single ones beside them, as Class or Class#method; with neither, everything is tested
 * @param servers those that are started at once, before a test asks for them
 */
record Options(
        Path root,
        boolean all,
        int workers,
        Duration silenceLimit,
        List<Path> otherJdks,
        List<String> modules,
        List<String> tests,
        List<String> servers,
        Build build) {

    /**
     * What was before the tests.
     *
     * @param statistics a copy of the processors' statistics from when it began
     * @param complaints what went wrong, which fails the run too
     */
    record Build(Path statistics, Duration took, List<String> complaints) {}

    /** More than there are cores: tests also wait, for leases to end and for servers. Each takes memory and connections. */
    private static final int DEFAULT_WORKERS = Math.min(Runtime.getRuntime().availableProcessors() + 1, 8);

    /** Longer than any test's own timeout. */
    private static final Duration DEFAULT_SILENCE_LIMIT = Duration.ofMinutes(35);

    boolean isEverything() {
        return modules.isEmpty() && tests.isEmpty();
    }

    static Options parse(String... args) {
        boolean all = false;
        int workers = DEFAULT_WORKERS;
        Duration silenceLimit = DEFAULT_SILENCE_LIMIT;
        List<Path> otherJdks = new ArrayList<>();
        List<String> modules = new ArrayList<>();
        List<String> tests = new ArrayList<>();
        List<String> servers = new ArrayList<>();
        Path begun = Processors.STATISTICS;
        Duration built = Duration.ZERO;
        List<String> complaints = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            switch (args[i]) {
                case "--all" -> all = true;
                case "--workers" -> workers = Integer.parseInt(args[++i]);
                case "--silence-seconds" -> silenceLimit = Duration.ofSeconds(Long.parseLong(args[++i]));
                case "--jdk" -> otherJdks.add(Path.of(args[++i]));
                case "--module" -> modules.add(args[++i]);
                case "--test" -> tests.add(args[++i]);
                case "--server" -> servers.add(args[++i]);
                case "--begun" -> begun = Path.of(args[++i]);
                case "--build-seconds" -> built = Duration.ofSeconds(Long.parseLong(args[++i]));
                case "--complaint" -> complaints.add(args[++i]);
                default -> throw new IllegalArgumentException("unknown option " + args[i]);
            }
        }
        return new Options(
                Path.of(args[0]).toAbsolutePath(),
                all,
                workers,
                silenceLimit,
                List.copyOf(otherJdks),
                List.copyOf(modules),
                List.copyOf(tests),
                List.copyOf(servers),
                new Build(begun, built, List.copyOf(complaints)));
    }
}
