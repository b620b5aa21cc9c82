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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One RabbitMQ node with folder, ports and name service of its own; it can be ended and started again. */
final class RabbitMqProcess {
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final int PORTS = 4;
    private static final byte[] PROTOCOL = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private final RabbitMqPrograms programs;
    private final Path folder;
    private final int port;
    private @Nullable Process nameService;
    private final List<Process> watchdogs = new ArrayList<>();
    private @Nullable ProcessHandle node;

    /** @param configuration in the form of rabbitmq.conf, where {@code TLS_PORT} stands for {@link #tlsPort} */
    RabbitMqProcess(RabbitMqPrograms programs, String configuration) throws IOException {
        this.programs = programs;
        folder = Files.createTempDirectory("postroom-rabbitmq-");
        port = Ports.free(PORTS);
        Files.createDirectories(folder.resolve("home"));
        Files.createDirectories(folder.resolve("etc"));
        Files.writeString(folder.resolve("etc/enabled_plugins"), "[].\n", StandardCharsets.UTF_8);
        Files.writeString(
                folder.resolve("etc/rabbitmq.conf"),
                configuration.replace("TLS_PORT", Integer.toString(tlsPort())),
                StandardCharsets.UTF_8);
    }

    int port() {
        return port;
    }

    int tlsPort() {
        return port + 3;
    }

    /** Starts the node on the data it had, and returns when it answers. */
    synchronized void start() throws IOException {
        if (nameService == null) {
            // The node would start one in the background, whose process id nobody knows.
            nameService = run(programs.nameService(), "-address", "127.0.0.1", "-port", Integer.toString(port + 2));
            watchdogs.add(Watchdog.endWithThisJvm(nameService.pid(), "TERM", folder));
        }
        Files.deleteIfExists(pidFile());
        Process starter = run(programs.server());
        // TERM makes the starter stop the node, whose process id is not known yet.
        Process untilItAnswers = Watchdog.endWithThisJvm(starter.pid(), "TERM", folder);
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!answers()) {
            if (!starter.isAlive() || System.nanoTime() > deadline) {
                starter.destroy(); // by force it would leave the node behind
                throw new IOException("the broker does not answer; its log ends with:\n"
                        + Logs.tail(folder.resolve("output.log")) + "\n" + Logs.tail(folder.resolve("log/rabbit.log")));
            }
            pause();
        }
        long pid = Long.parseLong(
                Files.readString(pidFile(), StandardCharsets.US_ASCII).strip());
        node = ProcessHandle.of(pid).orElseThrow(() -> new IOException("the broker has ended, process id " + pid));
        watchdogs.add(Watchdog.endWithThisJvm(pid, "KILL", folder));
        untilItAnswers.destroyForcibly();
    }

    private Path pidFile() {
        return folder.resolve("pid");
    }

    /** Ends the node in an orderly way, or at once as a crash would. */
    synchronized void end(boolean orderly) {
        ProcessHandle running = node;
        if (running == null) {
            return;
        }
        if (orderly) {
            running.destroy();
        } else {
            running.destroyForcibly();
        }
        try {
            running.onExit().get(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            running.destroyForcibly();
        }
        node = null;
        watchdogs.remove(watchdogs.size() - 1).destroyForcibly();
    }

    /** Ends everything and removes the folder. */
    synchronized void remove() {
        end(false);
        if (nameService != null) {
            nameService.destroyForcibly();
            nameService = null;
        }
        watchdogs.forEach(Process::destroyForcibly);
        watchdogs.clear();
        try {
            run(List.of("rm", "-rf", folder.toString())).waitFor();
        } catch (IOException e) {
            throw new TestbedException("cannot remove " + folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs rabbitmqctl, which takes a second or two, and gives what it printed. */
    String control(String... arguments) throws IOException {
        ProcessBuilder control = builder(programs.control(), "-q");
        control.command().addAll(List.of(arguments));
        return Command.run("rabbitmqctl " + arguments[0], control, START_LIMIT);
    }

    private Process run(List<String> command, String... arguments) throws IOException {
        return builder(command, arguments)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("output.log").toFile()))
                .start();
    }

    private ProcessBuilder builder(List<String> command, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(environment());
        // A node that is killed while it starts may leave a dump in its working directory.
        return builder.directory(folder.toFile());
    }

    private Map<String, String> environment() {
        return Map.ofEntries(
                Map.entry("HOME", folder.resolve("home").toString()),
                Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                Map.entry("ERL_EPMD_PORT", Integer.toString(port + 2)),
                Map.entry("RABBITMQ_NODENAME", "test-" + port + "@localhost"),
                Map.entry("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
                Map.entry("RABBITMQ_NODE_PORT", Integer.toString(port)),
                Map.entry("RABBITMQ_DIST_PORT", Integer.toString(port + 1)),
                Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString()),
                Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
                Map.entry("RABBITMQ_LOGS", folder.resolve("log/rabbit.log").toString()),
                Map.entry("RABBITMQ_PID_FILE", pidFile().toString()),
                Map.entry(
                        "RABBITMQ_ENABLED_PLUGINS_FILE",
                        folder.resolve("etc/enabled_plugins").toString()),
                Map.entry("RABBITMQ_CONF_ENV_FILE", "/dev/null"),
                Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("etc/rabbitmq").toString()),
                Map.entry(
                        "RABBITMQ_ADVANCED_CONFIG_FILE",
                        folder.resolve("etc/advanced.config").toString()),
                Map.entry(
                        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                        // Schedulers that spin while they wait for work take the CPU from those who have some.
                        "-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none"));
    }

    /** Whether it speaks AMQP: an open port alone may belong to a broker that is still starting. */
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(PROTOCOL);
            return socket.getInputStream().read() == 1;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** A server that starts tells nobody when it is ready, so it is asked again until the deadline. */
    private static void pause() throws IOException {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while RabbitMQ was starting", e);
        }
    }
}
