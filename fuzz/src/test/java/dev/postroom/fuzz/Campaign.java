package dev.postroom.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Jazzer with one target in a JVM of its own: it rewrites the classes of its JVM, and knows one target in it.
 *
 * @param folder where corpus, log and findings go
 */
record Campaign(Path folder) {
    /** Coverage and comparisons of our own code lead; rewriting what it stands on would cost a minute. */
    private static final String OURS = "dev.postroom.**";

    /** What the checks look for must not become what inputs are made of. */
    private static final String NOT_OURS = "dev.postroom.fuzz.**:dev.postroom.testbed.**";

    /** Reports every connection, and targets connect to the server under test. */
    private static final String TOO_STRICT = "com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery";

    private static final int LONGEST_INPUT = 8_192;

    /** A JVM says nothing for this long only when it hangs. */
    private static final int HANGS_SECONDS = 300;

    /**
     * How it ended.
     *
     * @param exit 0 when nothing was found
     * @param tried the last lines of the target itself and of libFuzzer, which say what was tried
     * @param findings the inputs that failed, each in a file
     */
    record Outcome(int exit, List<String> tried, List<Path> findings, Path log) {}

    /**
     * Fuzzes until a finding or the limit.
     *
     * @param options of libFuzzer, a limit among them: {@code -runs=1000}, {@code -max_total_time=60}
     */
    Outcome run(Target target, List<String> options, Consumer<String> progress)
            throws IOException, InterruptedException {
        return run(Entry.class, target.label(), target.seeds(), options, progress);
    }

    /** With another class than {@link Entry}, which gets the argument. */
    Outcome run(
            Class<?> program,
            String argument,
            Map<String, byte[]> seeds,
            List<String> options,
            Consumer<String> progress)
            throws IOException, InterruptedException {
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        Path findings = Files.createDirectories(folder.resolve("findings"));
        List<Path> known = filesIn(findings);
        Path seedFolder = Files.createDirectories(folder.resolve("seeds"));
        for (Map.Entry<String, byte[]> seed : seeds.entrySet()) {
            Files.write(seedFolder.resolve(seed.getKey()), seed.getValue());
        }
        Path words = Files.write(folder.resolve("words"), Words.in(seeds.values()), StandardCharsets.ISO_8859_1);
        Path log = folder.resolve("log");
        List<String> arguments = new ArrayList<>(List.of("--target_args=" + argument, "-dict=" + words));
        arguments.addAll(options);
        arguments.addAll(List.of(corpus.toString(), seedFolder.toString()));
        Process jazzer = start(program, arguments, findings);
        List<String> tried = new ArrayList<>();
        try (BufferedReader out = jazzer.inputReader(StandardCharsets.UTF_8);
                PrintWriter kept = new PrintWriter(log.toFile(), StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                kept.println(line);
                if (line.startsWith(Tally.MARK) || line.startsWith("Done ")) {
                    tried.add(line);
                }
                progress.accept(line);
            }
        } finally {
            jazzer.destroy();
        }
        int exit = jazzer.waitFor();
        List<Path> found = filesIn(findings);
        found.removeAll(known);
        return new Outcome(exit, tried, found, log);
    }

    private Process start(Class<?> program, List<String> arguments, Path findings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=dev/postroom/testbed/logback.xml",
                "-Dorg.springframework.boot.logging.LoggingSystem=none",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + program.getName(),
                "--instrumentation_includes=" + OURS,
                "--instrumentation_excludes=" + NOT_OURS,
                "--custom_hook_includes=" + OURS,
                "--custom_hook_excludes=" + NOT_OURS,
                "--disabled_hooks=" + TOO_STRICT,
                "--reproducer_path=" + folder,
                "-artifact_prefix=" + findings + "/",
                "-max_len=" + LONGEST_INPUT,
                "-timeout=" + HANGS_SECONDS,
                "-rss_limit_mb=0"));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(folder.toFile())
                .start();
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.sorted(Comparator.naturalOrder()).toList());
        }
    }
}
