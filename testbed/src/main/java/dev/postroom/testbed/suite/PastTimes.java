package dev.postroom.testbed.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long each class took the last time, so that the longest are begun first. Before the first run in a work tree it is what
 * the file of the project says; that may be out of date, and then only the end of the run is packed less well.
 */
final class PastTimes {

    private static final long UNKNOWN_MILLIS = 1_000;

    private final Path lastRun;
    private final Map<String, Long> millis = new TreeMap<>();

    private PastTimes(Path lastRun) {
        this.lastRun = lastRun;
    }

    static PastTimes read(Path root) throws IOException {
        PastTimes times = new PastTimes(Suite.outputFolder(root).resolve("times.tsv"));
        times.add(root.resolve("testbed/test-times.tsv"));
        times.add(times.lastRun);
        return times;
    }

    private void add(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            String[] parts = line.split("\t", -1);
            if (parts.length == 2 && parts[1].matches("\\d+")) { // a line that was cut short only costs the order
                millis.put(parts[0], Long.parseLong(parts[1]));
            }
        }
    }

    long expectedMillis(Job job) {
        return millis.getOrDefault(key(job), UNKNOWN_MILLIS);
    }

    private static String key(Job job) {
        return job.module().name() + " " + job.selection();
    }

    /** Keeps what this run took, beside what is known of classes that it did not run. */
    void write(Collection<ClassRun> runs) throws IOException {
        runs.stream()
                .filter(run -> run.job().variant().isFirst())
                .forEach(run -> millis.put(key(run.job()), run.millis()));
        StringBuilder text = new StringBuilder();
        millis.forEach(
                (key, value) -> text.append(key).append('\t').append(value).append('\n'));
        Files.writeString(lastRun, text, StandardCharsets.UTF_8);
    }
}
