package dev.postroom.server;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line as a process of its own that runs until it is told to stop. */
public final class ServerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final Process process;

    private ServerProcess(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    public static ServerProcess start(Path folder, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.postroom.server.Main"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        // Several of them may run at once.
        builder.environment().put("POSTROOM_ADMIN_PORT", "0");
        Process process = builder.start();
        return new ServerProcess(folder, process);
    }

    public ServerProcess awaitOutput(String text) {
        await().atMost(PATIENCE).until(() -> out().contains(text) || err().contains(text));
        return this;
    }

    public String out() {
        return read("out");
    }

    public String err() {
        return read("err");
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGTERM and returns the exit code. */
    public int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running " + PATIENCE + " after SIGTERM: " + out() + err());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
