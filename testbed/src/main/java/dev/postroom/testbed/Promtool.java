package dev.postroom.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Prometheus's own checker of rules: Debian's package, or the program that the environment variable {@value #VARIABLE} names.
 */
public final class Promtool {
    static final String VARIABLE = "POSTROOM_TEST_PROMTOOL";
    private static final Path DEBIAN = Path.of("/usr/bin/promtool");
    private static final long LONGEST_SECONDS = 60;

    /**
     * How it ended.
     *
     * @param output both streams, as they came
     */
    public record Result(int exitCode, String output) {}

    private Promtool() {}

    /** Runs it in a folder; fails when there is no such program. */
    public static Result run(Path folder, String... arguments) {
        List<String> command = new ArrayList<>();
        try {
            command.add(program().toString());
            command.addAll(List.of(arguments));
            Path log = Files.createTempFile("postroom-promtool-", ".log");
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("it did not end within " + LONGEST_SECONDS + " s:\n" + Logs.tail(log));
            }
            String output = Files.readString(log, StandardCharsets.UTF_8);
            Files.delete(log);
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new TestbedException(
                    "promtool cannot be run (" + e.getMessage() + "): or set " + VARIABLE + " to where it is", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestbedException("interrupted while promtool ran", e);
        }
    }

    private static Path program() throws IOException {
        String given = System.getenv(VARIABLE);
        if (given != null) {
            return Path.of(given);
        }
        DebianPackage.require(DEBIAN, "prometheus");
        return DEBIAN;
    }
}
