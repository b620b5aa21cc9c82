package dev.postroom.testbed.suite;

import dev.postroom.testbed.suite.TestResult.Outcome;
import java.util.List;

/**
 * What became of a class.
 *
 * @param cpuMillis of the test JVM; what servers and other processes used is not in it
 * @param printed the end of what its JVM printed meanwhile
 */
record ClassRun(Job job, List<TestResult> results, long millis, long cpuMillis, String printed) {

    long count(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    boolean failed() {
        return count(Outcome.FAILED) > 0;
    }
}
