package dev.postroom.testbed.suite;

import dev.postroom.testbed.suite.TestResult.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Turns what JUnit tells into results: of tests, and of classes that failed as a whole. */
final class ResultListener implements TestExecutionListener {

    private static final Pattern REQUIREMENT = Pattern.compile("[RI]\\d+");

    private final Consumer<TestResult> results;
    private final Map<String, Long> startedAt = new ConcurrentHashMap<>();

    ResultListener(Consumer<TestResult> results) {
        this.results = results;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        startedAt.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (test.isTest() || !passed) {
            boolean aborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
            String details = result.getThrowable()
                    .map(failure -> aborted ? message(failure) : stackTrace(failure))
                    .orElse("");
            tell(outcome(result.getStatus()), test, details);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        tell(Outcome.SKIPPED, test, reason);
    }

    private void tell(Outcome outcome, TestIdentifier test, String details) {
        Long started = startedAt.remove(test.getUniqueId());
        List<String> requirements = test.getTags().stream()
                .map(TestTag::getName)
                .filter(tag -> REQUIREMENT.matcher(tag).matches())
                .sorted()
                .toList();
        results.accept(new TestResult(
                outcome,
                requirements,
                test.getSource().map(ResultListener::className).orElse(""),
                name(test),
                started == null ? 0 : (System.nanoTime() - started) / 1_000_000,
                details));
    }

    private static Outcome outcome(TestExecutionResult.Status status) {
        return switch (status) {
            case SUCCESSFUL -> Outcome.PASSED;
            case FAILED -> Outcome.FAILED;
            case ABORTED -> Outcome.SKIPPED;
        };
    }

    private static String className(TestSource source) {
        if (source instanceof MethodSource method) {
            return method.getClassName();
        }
        return source instanceof ClassSource type ? type.getClassName() : "";
    }

    /** A parameterized test also says with what. */
    private static String name(TestIdentifier test) {
        String method = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse("");
        String display = test.getDisplayName();
        if (method.isEmpty()) {
            return display;
        }
        return display.startsWith(method) || !display.startsWith("[") ? method : method + display;
    }

    private static String message(Throwable failure) {
        return printed(failure, () -> String.valueOf(failure.getMessage()));
    }

    private static String stackTrace(Throwable failure) {
        return printed(failure, () -> {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            return text.toString();
        });
    }

    /** An exception may throw when it is asked what it says. JUnit would swallow that, and the failure with it. */
    private static String printed(Throwable failure, Supplier<String> text) {
        try {
            return text.get();
        } catch (RuntimeException e) {
            return failure.getClass().getName() + " (it cannot be printed: "
                    + e.getClass().getName() + ")";
        }
    }
}
