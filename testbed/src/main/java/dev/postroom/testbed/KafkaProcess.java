package dev.postroom.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One Kafka broker, its own controller too, with folder and ports of its own; it can be ended and started again. */
final class KafkaProcess {
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final String CLUSTER = "4L6g3nShT-eMCtK--X86sw";

    private final Path programs;
    private final Path folder;
    private final int port;
    private @Nullable Process broker;
    private @Nullable Process watchdog;

    KafkaProcess(Path programs) throws IOException {
        this.programs = programs;
        this.folder = Files.createTempDirectory("postroom-kafka-");
        this.port = Ports.free(3);
    }

    int port() {
        return port;
    }

    /** For a listener with TLS, which there is when the configuration has a certificate for it. */
    int tlsPort() {
        return port + 2;
    }

    /** Makes an empty broker that tells its clients to come to the given port. */
    void install(int advertisedPort, String configuration) throws IOException {
        String tls = configuration.contains("ssl.keystore") ? ",SSL://127.0.0.1:" + tlsPort() : "";
        Files.writeString(
                properties(),
                """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d%5$s
                advertised.listeners=PLAINTEXT://127.0.0.1:%3$d%5$s
                controller.quorum.voters=1@127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL
                log.dirs=%4$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                group.initial.rebalance.delay.ms=0
                auto.create.topics.enable=false
                """.formatted(port, port + 1, advertisedPort, folder.resolve("data"), tls) + configuration,
                StandardCharsets.UTF_8);
        Process format = java(
                "kafka.tools.StorageTool",
                "format",
                "-t",
                CLUSTER,
                "-c",
                properties().toString());
        try {
            if (!format.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS) || format.exitValue() != 0) {
                format.destroyForcibly();
                throw new IOException("the broker's folder could not be made:\n" + Logs.tail(log()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Kafka was being installed", e);
        }
    }

    /** Starts it on the data it had, and returns when it listens. */
    synchronized void start() throws IOException {
        Process started = java("kafka.Kafka", properties().toString());
        broker = started;
        watchdog = Watchdog.endWithThisJvm(started.pid(), "KILL", folder);
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!listens()) {
            if (!started.isAlive() || System.nanoTime() > deadline) {
                started.destroyForcibly();
                throw new IOException("the broker does not answer; its log ends with:\n" + Logs.tail(log()));
            }
            pause();
        }
    }

    private Process java(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // it shall start quickly; nobody measures it here
                "-cp",
                programs + "/*",
                main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private Path properties() {
        return folder.resolve("server.properties");
    }

    private Path log() {
        return folder.resolve("server.log");
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** A broker that starts tells nobody when it is ready, so it is asked again until the deadline. */
    private static void pause() throws IOException {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Kafka was starting", e);
        }
    }

    /** Ends it in an orderly way, or at once as a crash would. */
    synchronized void end(boolean orderly) {
        Process running = broker;
        if (running == null) {
            return;
        }
        if (orderly) {
            running.destroy();
        } else {
            running.destroyForcibly();
        }
        try {
            if (!running.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                running.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        broker = null;
        if (watchdog != null) {
            watchdog.destroyForcibly();
            watchdog = null;
        }
    }

    /** Ends it and removes the folder. */
    synchronized void remove() {
        end(false);
        try {
            new ProcessBuilder("rm", "-rf", folder.toString()).start().waitFor();
        } catch (IOException e) {
            throw new TestbedException("cannot remove " + folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
