package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.suite.TestResult.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestResultTest {

    @Test
    void a_line_holds_everything_whatever_is_in_it() {
        TestResult result = new TestResult(
                Outcome.SKIPPED, List.of("R1", "I2"), "com.example.A", "says[1] two\twords\n", 7, "ü\n\tat x");

        String line = result.toLine();

        assertThat(line).doesNotContain("\n");
        assertThat(TestResult.parse(line))
                .isEqualTo(new TestResult(
                        Outcome.SKIPPED, List.of("R1", "I2"), "com.example.A", "says[1] two words ", 7, "ü\n\tat x"));
        assertThat(TestResult.parse(new TestResult(Outcome.PASSED, List.of(), "A", "b", 0, "").toLine())
                        .requirements())
                .isEmpty();
    }
}
