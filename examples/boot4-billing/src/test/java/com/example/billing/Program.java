package com.example.billing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One of the two applications, which this test starts as processes and kills.
 *
 * @param application the class with its main method
 * @param other the application that must not be on its class path: both have an application.yml
 */
record Program(Class<?> application, Class<?> other, List<String> arguments) {
    /** Few threads and no second compiler: what counts is how soon it is up. */
    private static final List<String> JVM = List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m", "-Dspring.main.banner-mode=off");

    /** Only what the applications say themselves, and warnings; a line is the message alone. */
    private static final List<String> LOGGING = List.of(
            "--logging.level.root=warn", "--logging.level.com.example=info", "--logging.pattern.console=%msg%n");

    /** Starts it; each line that it says goes to the listener, on a thread of its own, until it ends. */
    Process start(String name, Consumer<String> listener) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", classPath(), application.getName()));
        command.addAll(LOGGING);
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread reader = new Thread(() -> read(process, listener), name + "-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private static void read(Process process, Consumer<String> listener) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.accept(line);
            }
        } catch (IOException | UncheckedIOException e) {
            // it was killed in the middle of a line
        }
    }

    /** As {@code kill -9}. */
    static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(30, TimeUnit.SECONDS);
    }

    private String classPath() {
        Path mine = home(application);
        List<Path> notMine = List.of(home(other), home(Program.class));
        Stream<Path> libraries = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(path -> !path.equals(mine) && !notMine.contains(path));
        return String.join(
                File.pathSeparator,
                Stream.concat(Stream.of(mine), libraries).map(Path::toString).toList());
    }

    private static Path home(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
