package dev.postroom.testbed.suite;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * How one test ended, as a test JVM tells it.
 *
 * @param requirements what it is tagged with, such as {@code R12}
 * @param type the class that declares it
 * @param details the stack trace of a failure, or why it was skipped
 */
record TestResult(Outcome outcome, List<String> requirements, String type, String name, long millis, String details) {

    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** One line without tabs or line ends in its parts. */
    String toLine() {
        return String.join(
                "\t",
                outcome.name(),
                String.join(",", requirements),
                type,
                name.replaceAll("\\s+", " "),
                Long.toString(millis),
                Base64.getEncoder().encodeToString(details.getBytes(StandardCharsets.UTF_8)));
    }

    static TestResult parse(String line) {
        String[] parts = line.split("\t", -1);
        return new TestResult(
                Outcome.valueOf(parts[0]),
                parts[1].isEmpty() ? List.of() : List.of(parts[1].split(",", -1)),
                parts[2],
                parts[3],
                Long.parseLong(parts[4]),
                new String(Base64.getDecoder().decode(parts[5]), StandardCharsets.UTF_8));
    }

    String title() {
        return type.substring(type.lastIndexOf('.') + 1) + "." + name;
    }
}
