package dev.postroom.benchmark.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A {@link RelayProgram} that we started. For one thread. */
final class RelayProcess implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(3);
    private static final long PATIENCE_SECONDS = 30;

    private final Process process;

    private RelayProcess(Process process) {
        this.process = process;
    }

    static RelayProcess start(Place place, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                RelayProgram.class.getName());
        Map<String, String> environment = builder.environment();
        environment.put("CHAOS_DATABASE", place.databaseUrl());
        environment.put("CHAOS_USERNAME", place.database.username());
        environment.put("CHAOS_PASSWORD", place.database.password());
        environment.put("CHAOS_BROKER", place.broker.uri());
        environment.put("CHAOS_LEASE_MILLIS", Long.toString(LEASE.toMillis()));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new RelayProcess(process);
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void wake() throws IOException, InterruptedException {
        signal("-CONT");
    }

    /** Its clock differs from the machine's so much from now on, or from when it wakes. */
    void setClock(Duration ahead) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((ahead.toMillis() + "\n").getBytes(StandardCharsets.US_ASCII));
        input.flush();
    }

    private void signal(String signal) throws IOException, InterruptedException {
        if (process.isAlive()) {
            new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it gracefully, or else by force. */
    @Override
    public void close() throws IOException, InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
        }
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }
}
