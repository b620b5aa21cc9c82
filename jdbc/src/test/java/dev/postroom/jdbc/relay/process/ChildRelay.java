package dev.postroom.jdbc.relay.process;

import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link RelayProgram} that this test started, and may freeze and kill. */
final class ChildRelay implements AutoCloseable {
    private final Process process;

    private ChildRelay(Process process) {
        this.process = process;
    }

    static ChildRelay start(TestDatabase database, Path file, int dieAfter) throws IOException {
        return start(database, file, dieAfter, List.of("PT3S"));
    }

    /** One whose routes are the new ones: everything goes to the second file as well. */
    static ChildRelay startNewVersion(TestDatabase database, Path file, Path audit, Duration routingDelay)
            throws IOException {
        return start(database, file, 0, List.of(routingDelay.toString(), audit.toString()));
    }

    /** A new version whose process ends so long after its relay has started. */
    static ChildRelay startCrashingVersion(
            TestDatabase database, Path file, Path audit, Duration routingDelay, Duration lives) throws IOException {
        return start(
                database, file, 0, List.of(routingDelay.toString(), audit.toString(), Long.toString(lives.toMillis())));
    }

    private static ChildRelay start(TestDatabase database, Path file, int dieAfter, List<String> more)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RelayProgram.class.getName(),
                database.url(),
                database.username(),
                database.password(),
                file.toString(),
                Integer.toString(dieAfter)));
        command.addAll(more);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new ChildRelay(process);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean hasEndedWithin(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    int exitCode() {
        return process.exitValue();
    }

    void freeze() throws Exception {
        signal("-STOP");
    }

    void wake() throws Exception {
        signal("-CONT");
    }

    private void signal(String signal) throws Exception {
        int code = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill " + signal + " failed");
        }
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    /** Ends it gracefully, or else by force. */
    @Override
    public void close() throws Exception {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
        }
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            kill();
        }
    }
}
