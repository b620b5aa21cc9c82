package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.suite.TestResult.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a run, with results made up. */
class ReportTest {

    private static final Variant FIRST = new Variant(0, "", Path.of("jdk"), Map.of(), "");
    private static final Variant OTHER = new Variant(1, "another JDK", Path.of("jdk2"), Map.of(), "");

    private SmallProject project;

    @BeforeEach
    void a_project(@TempDir Path root) throws IOException {
        project = new SmallProject(root);
    }

    @Test
    void the_ten_slowest_classes_come_slowest_first() throws IOException {
        Report report = report();
        for (int i = 1; i <= 11; i++) {
            report.add(run(FIRST, "shop", "Class" + i + "Test", i * 1000L, passed("runs")));
        }
        report.finish();

        assertThat(project.printed())
                .containsPattern(
                        "slowest classes: seconds, CPU of their JVMs\\n"
                                + " +11.0 +5.5  shop Class11Test\\n +10.0 +5.0  shop Class10Test\\n(.*\\n){7} +2.0 .*Class2Test\\n\\n");
    }

    @Test
    void the_times_and_tests_of_a_module_are_added_up_for_each_variant() throws IOException {
        Report report = report();
        report.add(run(FIRST, "shop", "OneTest", 1000, passed("a"), passed("b")));
        report.add(run(FIRST, "shop", "TwoTest", 3000, passed("a"), skipped("c")));
        report.add(run(FIRST, "billing", "BillTest", 9000, passed("a")));
        report.add(run(OTHER, "shop", "OneTest", 500, passed("a")));
        report.finish();

        assertThat(project.printed())
                .containsPattern("Modules: seconds, CPU of their JVMs, tests\\n"
                        + " +9.0 +4.5 +1  billing\\n +4.0 +2.0 +4  shop\\n +0.5 +0.3 +1  shop \\(another JDK\\)\\n\\n")
                .endsWith("\n5 passed, 0 failed, 1 skipped\n");
    }

    @Test
    void what_failed_is_listed_again_at_the_end() throws IOException {
        Report report = report();
        report.add(run(FIRST, "shop", "OneTest", 1, failed("loses", "Error: lost 7\n at x"), passed("keeps")));
        report.add(run(OTHER, "shop", "OneTest", 1, failed("loses", "Error: lost 8")));
        report.finish();

        assertThat(report.isGreen()).isFalse();
        assertThat(project.printed()).contains("""

                        Failed
                          shop OneTest.loses: Error: lost 7
                          shop (another JDK) OneTest.loses: Error: lost 8

                        """).endsWith("\n1 passed, 2 failed, 0 skipped\n");
    }

    @Test
    void classes_that_were_never_run_make_it_red() throws IOException {
        Report report = report();
        report.begin(3, Options.parse(project.root.toString()));
        report.add(run(FIRST, "shop", "OneTest", 1, passed("keeps")));
        report.finish();

        assertThat(report.isGreen()).isFalse();
        assertThat(project.printed()).containsPattern("\\nFailed\\n  2 classes were never run");
    }

    @Test
    void each_result_is_a_line_for_tools() throws IOException {
        Report report = report();
        report.add(run(OTHER, "shop", "OneTest", 1, failed("loses", "Error"), skipped("waits")));
        report.write(project.root.resolve("results.tsv"));

        assertThat(project.read("results.tsv")).isEqualTo("""
                        FAILED\t7\tshop (another JDK)\tcom.example.OneTest\tloses
                        SKIPPED\t7\tshop (another JDK)\tcom.example.OneTest\twaits
                        """);
    }

    @Test
    void a_requirement_counts_each_test_once_and_names_those_that_failed() throws IOException {
        Report report = report();
        report.add(run(FIRST, "shop", "OneTest", 1, passed("keeps"), failed("loses", "Error")));
        report.add(run(OTHER, "shop", "OneTest", 1, passed("keeps"), failed("loses", "Error")));
        report.finish();

        assertThat(project.printed())
                .containsPattern(
                        "R1 +orders are kept +2 +1\\n +OneTest.keeps, OneTest.loses\\n +FAILED OneTest.loses\\n");
    }

    @Test
    void a_requirement_of_which_all_tests_were_skipped_has_none() throws IOException {
        project.write("docs/requirements.md", "R1 | orders are kept\nR2 | and counted\n");
        Report report = report();
        report.add(run(FIRST, "shop", "OneTest", 1, skipped("keeps"), result(Outcome.PASSED, "R2", "counts", "")));
        report.finish();

        assertThat(project.printed()).contains("No test in this run: R1\n");
    }

    @Test
    void how_busy_the_cores_were_is_said_where_the_system_counts_it() throws IOException {
        project.write("stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
        report("--begun", project.root.resolve("stat").toString()).finish();
        assertThat(project.printed()).containsPattern("cores were \\d+ % busy: \\d+\\.\\d minutes of CPU\\n");

        project = new SmallProject(project.root);
        report("--begun", project.root.resolve("no-such-file").toString()).finish();
        assertThat(project.printed()).contains("The tests took 0:0").doesNotContain("busy");
    }

    private Report report(String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = project.root.toString();
        System.arraycopy(options, 0, arguments, 1, options.length);
        return new Report(Options.parse(arguments), project.out());
    }

    private static ClassRun run(Variant variant, String module, String type, long millis, TestResult... results) {
        TestModule place = new TestModule(module, Path.of(module), "", List.of());
        Job job = new Job(variant, place, "com.example." + type, false);
        return new ClassRun(
                job, List.of(results).stream().map(result -> of(type, result)).toList(), millis, millis / 2, "");
    }

    private static TestResult of(String type, TestResult result) {
        return new TestResult(
                result.outcome(),
                result.requirements(),
                "com.example." + type,
                result.name(),
                result.millis(),
                result.details());
    }

    private static TestResult passed(String name) {
        return result(Outcome.PASSED, "R1", name, "");
    }

    private static TestResult failed(String name, String details) {
        return result(Outcome.FAILED, "R1", name, details);
    }

    private static TestResult skipped(String name) {
        return result(Outcome.SKIPPED, "R1", name, "no moon");
    }

    private static TestResult result(Outcome outcome, String requirement, String name, String details) {
        return new TestResult(outcome, List.of(requirement), "", name, 7, details);
    }
}
