package com.example.billing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One of the two applications, which this test starts as processes and kills.
 *
 * @param application the class with its main method
 * @param jvm options of the JVM
 * @param arguments of the main method
 */
record Program(Class<?> application, List<String> jvm, List<String> arguments) {
    /** Few threads and no second compiler: what counts is how soon it is up. */
    private static final List<String> QUICK =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-Xshare:auto", "-Xlog:disable");

    /** Only what the applications say themselves, and warnings; a line is the message alone. */
    private static final List<String> LOGGING = List.of(
            "--spring.main.banner-mode=off",
            "--logging.level.root=warn",
            "--logging.level.com.example=info",
            "--logging.pattern.console=%msg%n");

    static Program of(Class<?> application, String classPath, List<String> arguments) {
        return new Program(application, List.of("-cp", classPath), arguments);
    }

    /** Writes the classes it has loaded to this file when it ends in an orderly way. */
    Program archivingTo(Path file) {
        return jvm("-XX:ArchiveClassesAtExit=" + file);
    }

    /** Takes its classes from this file: it is up in little more than half the time. */
    Program archivedIn(Path file) {
        return jvm("-XX:SharedArchiveFile=" + file);
    }

    private Program jvm(String option) {
        return new Program(application, append(jvm, option), arguments);
    }

    Program with(String argument) {
        return new Program(application, jvm, append(arguments, argument));
    }

    private static List<String> append(List<String> list, String one) {
        return Stream.concat(list.stream(), Stream.of(one)).toList();
    }

    /** Starts it; each line that it says goes to the listener, on a thread of its own, until it ends. */
    Process start(String name, Consumer<String> listener) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        command.addAll(jvm);
        command.add(application.getName());
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
}
