package dev.postroom.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes one line per test: outcome, the requirements it is tagged with ({@code R12}, {@code I3}), class, name.
 *
 * <p>The build names the file in the system property {@value #FILE}; without it, as in an IDE, nothing is written. JUnit
 * finds this class by its service file in every module that has the testbed on its test class path.
 */
public final class RequirementReport implements TestExecutionListener {

    static final String FILE = "postroom.requirements.file";

    private static final Pattern REQUIREMENT = Pattern.compile("[RI]\\d+");

    /** Removes what an earlier JVM has left; another test plan of this JVM adds to its own lines. */
    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        String file = System.getProperty(FILE);
        if (file == null) {
            return;
        }
        Path path = Path.of(file);
        Instant start = ProcessHandle.current().info().startInstant().orElse(Instant.MAX);
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            if (Files.exists(path)
                    && Files.getLastModifiedTime(path).toInstant().isBefore(start)) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (test.isTest() || !passed) {
            write(outcome(result.getStatus()), test);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write("skipped", test);
    }

    private static String outcome(TestExecutionResult.Status status) {
        return switch (status) {
            case SUCCESSFUL -> "passed";
            case FAILED -> "failed";
            case ABORTED -> "skipped";
        };
    }

    private static void write(String outcome, TestIdentifier test) {
        String file = System.getProperty(FILE);
        if (file == null) {
            return;
        }
        String requirements = test.getTags().stream()
                .map(TestTag::getName)
                .filter(tag -> REQUIREMENT.matcher(tag).matches())
                .sorted()
                .collect(Collectors.joining(","));
        String line = String.join(
                "\t",
                outcome,
                requirements,
                test.getSource().map(RequirementReport::className).orElse(""),
                name(test));
        try {
            Files.writeString(
                    Path.of(file),
                    line + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String className(TestSource source) {
        if (source instanceof MethodSource method) {
            return method.getClassName();
        }
        return source instanceof ClassSource type ? type.getClassName() : "";
    }

    private static String name(TestIdentifier test) {
        String name = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse(test.getDisplayName());
        return name.replaceAll("\\s+", " ");
    }
}
