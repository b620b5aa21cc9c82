package dev.postroom.testbed.suite;

import dev.postroom.testbed.SharedServers;
import dev.postroom.testbed.suite.TestResult.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM that runs test classes of one module, seen from the suite. */
final class TestJvm implements AutoCloseable {

    static final String TEST = "test ";
    static final String DONE = "done ";

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private static final int OUTPUT_LIMIT = 30_000;

    private final Process process;
    private final Path output;
    private final Socket connection;
    private final Duration silenceLimit;
    private final BufferedReader in;
    private final PrintWriter out;
    private boolean broken;

    private TestJvm(Process process, Path output, Socket connection, Duration silenceLimit) throws IOException {
        this.process = process;
        this.output = output;
        this.connection = connection;
        this.silenceLimit = silenceLimit;
        connection.setSoTimeout((int) silenceLimit.toMillis());
        this.in = new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
        this.out = new PrintWriter(new OutputStreamWriter(connection.getOutputStream(), StandardCharsets.UTF_8), true);
    }

    static TestJvm start(Variant variant, TestModule module, Options options, int serversPort, Path output)
            throws IOException {
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> command = new ArrayList<>(List.of(
                    variant.jdk().resolve("bin/java").toString(),
                    "@" + options.root().resolve("testbed/test-jvm.options"),
                    "-D" + SharedServers.PORT + "=" + serversPort,
                    "-Dpostroom.test.all=" + options.all(),
                    "-Dbasedir=" + module.folder()));
            Path own = module.folder().resolve("test-jvm.options");
            if (Files.exists(own)) {
                command.add("@" + own);
            }
            variant.properties().forEach((name, value) -> command.add("-D" + name + "=" + value));
            command.addAll(List.of(
                    "-cp", module.classPath(), TestProgram.class.getName(), Integer.toString(door.getLocalPort())));
            Process process = new ProcessBuilder(command)
                    .directory(module.folder().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            return new TestJvm(process, output, accept(door, process, output), options.silenceLimit());
        }
    }

    @SuppressWarnings("AddressSelection") // the door is on the loopback address
    private static Socket accept(ServerSocket door, Process process, Path output) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        door.setSoTimeout(500);
        while (process.isAlive() && System.nanoTime() < deadline) {
            try {
                return door.accept();
            } catch (SocketTimeoutException notYet) {
                // asked again
            }
        }
        process.destroyForcibly();
        throw new IOException("a test JVM did not start:\n" + Files.readString(output, StandardCharsets.ISO_8859_1));
    }

    boolean isAlive() {
        return !broken && process.isAlive();
    }

    /** Runs a class. When the JVM ends or hangs on it, that is a failure of the class. */
    ClassRun run(Job job) throws IOException {
        long started = System.nanoTime();
        long outputBefore = Files.size(output);
        List<TestResult> results = new ArrayList<>();
        long cpuMillis = 0;
        String trouble = null;
        out.println((job.withLong() ? "" : TestProgram.WITHOUT_LONG) + job.selection());
        try {
            String line = in.readLine();
            while (line != null && !line.startsWith(DONE)) {
                results.add(TestResult.parse(line.substring(TEST.length())));
                line = in.readLine();
            }
            if (line == null) {
                trouble = "the test JVM ended while it ran this class: " + exit();
            } else {
                cpuMillis = Long.parseLong(line.substring(DONE.length()));
            }
        } catch (SocketTimeoutException e) {
            trouble = "no test of this class ended within " + silenceLimit.toSeconds() + " s; its thread dump is in "
                    + output;
            dumpThreads();
        } catch (IOException e) {
            trouble = "the test JVM ended while it ran this class: " + exit();
        }
        if (trouble != null) {
            broken = true;
            process.destroyForcibly();
            results.add(new TestResult(Outcome.FAILED, List.of(), job.selection(), "(whole class)", 0, trouble));
        }
        return new ClassRun(
                job, results, (System.nanoTime() - started) / 1_000_000, cpuMillis, printedSince(outputBefore));
    }

    /** The end of what it printed while it ran a class. */
    private String printedSince(long from) throws IOException {
        try (FileChannel file = FileChannel.open(output)) {
            long start = Math.max(from, file.size() - OUTPUT_LIMIT);
            ByteBuffer bytes = ByteBuffer.allocate((int) (file.size() - start));
            while (bytes.hasRemaining() && file.read(bytes, start + bytes.position()) >= 0) {
                // until all is read
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
        }
    }

    private String exit() {
        try {
            return process.waitFor(10, TimeUnit.SECONDS)
                    ? "exit code " + process.exitValue()
                    : "it closed its connection";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private void dumpThreads() throws IOException {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                    .start()
                    .waitFor(10, TimeUnit.SECONDS);
            process.waitFor(5, TimeUnit.SECONDS); // it writes its threads meanwhile
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        connection.close(); // it ends by itself then
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
