package dev.postroom.jdbc.inbox;

import dev.postroom.testbed.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link ConsumerProgram} that this test started, and may kill. */
final class ChildConsumer implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;

    private ChildConsumer(Process process) {
        this.process = process;
        this.said = process.inputReader();
    }

    static ChildConsumer start(TestDatabase database, String messageId, ConsumerProgram.Stop stop) throws IOException {
        return new ChildConsumer(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsumerProgram.class.getName(),
                        database.url(),
                        database.username(),
                        database.password(),
                        messageId,
                        stop.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** What it says next, or null when it has ended; waits for it. */
    @Nullable
    String says() throws IOException {
        String line = said.readLine();
        while (line != null && !line.startsWith(ConsumerProgram.SAYS)) {
            line = said.readLine();
        }
        return line == null ? null : line.substring(ConsumerProgram.SAYS.length());
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
