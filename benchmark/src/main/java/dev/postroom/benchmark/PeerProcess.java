package dev.postroom.benchmark;

import dev.postroom.benchmark.peers.Peer;
import dev.postroom.benchmark.peers.PeerProgram;
import dev.postroom.benchmark.peers.Rates;
import dev.postroom.testbed.TestDatabase;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PeerProgram} that we started: one system, in a JVM that has compiled nobody else's code, on a database of its own
 * in the server of all. For one thread.
 */
final class PeerProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final PeerSystem system;
    private final Process process;
    private final BufferedReader answers;

    private PeerProcess(PeerSystem system, Process process) {
        this.system = system;
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * All get the same memory, and the default settings of this JVM otherwise.
     *
     * @param compiler how far code is compiled: 4 is the JVM's default, 1 starts sooner
     */
    static PeerProcess start(PeerSystem system, TestDatabase database, Path log, int compiler) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=" + compiler,
                "-cp",
                system.isOurs() ? System.getProperty("java.class.path") : peersClassPath(),
                PeerProgram.class.getName(),
                system.type);
        Map<String, String> environment = builder.environment();
        environment.put("PEER_DATABASE", database.url());
        environment.put("PEER_USERNAME", database.username());
        environment.put("PEER_PASSWORD", database.password());
        return new PeerProcess(
                system,
                builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start());
    }

    /** The classes that speak to them, wherever they were loaded from, and the folder with the peers themselves. */
    private static String peersClassPath() throws IOException {
        Properties known = new Properties();
        try (InputStream in = Objects.requireNonNull(
                PeerProcess.class.getResourceAsStream("peers.properties"), "peers.properties, which the build makes")) {
            known.load(in);
        }
        Path libraries = Path.of(known.getProperty("directory", ""));
        if (!Files.isDirectory(libraries)) {
            throw new IOException(libraries + " is missing: run mvn generate-resources -pl benchmark/peers");
        }
        try {
            Path own = Path.of(Peer.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return own + File.pathSeparator + libraries.resolve("*");
        } catch (URISyntaxException e) {
            throw new IOException("the classes of the peers were loaded from a place that is no path", e);
        }
    }

    /**
     * Lets it write so many messages and drain them.
     *
     * @throws IllegalStateException if it did not handle all of them
     */
    Rates round(int messages) {
        try {
            process.getOutputStream().write((messages + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            @Nullable String answer = answers.readLine();
            if (answer == null || answer.startsWith(PeerProgram.FAILED)) {
                throw new IllegalStateException(system.label() + " did not drain its backlog: "
                        + (answer == null ? "its process ended" : answer.substring(PeerProgram.FAILED.length())));
            }
            return Rates.parse(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(system.label() + " cannot be spoken to any more", e);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
        }
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
