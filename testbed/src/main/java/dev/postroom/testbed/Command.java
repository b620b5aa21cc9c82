package dev.postroom.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A program that is run until it ends. */
final class Command {

    private Command() {}

    /**
     * What it printed, on both streams. Fails with the end of that when the program does, or takes longer than the limit.
     *
     * @param name for errors
     */
    static String run(String name, ProcessBuilder program, Duration limit) throws IOException {
        Path output = Files.createTempFile("postroom-command-", ".log");
        try {
            Process process = program.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = waitFor(process, limit, name);
            if (!ended) {
                process.destroyForcibly();
                throw new IOException(name + " did not end within " + limit.toSeconds() + " s:\n" + Logs.tail(output));
            }
            if (process.exitValue() != 0) {
                throw new IOException(
                        name + " failed with exit code " + process.exitValue() + ":\n" + Logs.tail(output));
            }
            return Files.readString(output, StandardCharsets.UTF_8);
        } finally {
            Files.delete(output);
        }
    }

    private static boolean waitFor(Process process, Duration limit, String name) throws IOException {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name + " ran", e);
        }
    }
}
