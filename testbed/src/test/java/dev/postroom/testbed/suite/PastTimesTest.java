package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PastTimesTest {

    private SmallProject project;

    @BeforeEach
    void a_project_that_knows_two_times(@TempDir Path root) throws IOException {
        project = new SmallProject(root);
        project.write("testbed/test-times.tsv", "shop OneTest\t7000\nshop TwoTest\t8000\nshop ThreeTest\t");
        project.write("target/tests/times.tsv", "");
    }

    @Test
    void the_last_run_knows_better_than_the_project() throws IOException {
        project.write("target/tests/times.tsv", "shop TwoTest\t9000\n");
        PastTimes times = PastTimes.read(project.root);

        assertThat(times.expectedMillis(job(0, "OneTest"))).isEqualTo(7000);
        assertThat(times.expectedMillis(job(0, "TwoTest"))).isEqualTo(9000);
        assertThat(times.expectedMillis(job(0, "ThreeTest"))).as("unknown").isEqualTo(1000);
    }

    @Test
    void a_run_is_remembered_and_what_it_did_not_run_is_not_forgotten() throws IOException {
        PastTimes.read(project.root).write(List.of(run(0, "TwoTest", 5), run(1, "OneTest", 6)));
        PastTimes times = PastTimes.read(project.root);

        assertThat(times.expectedMillis(job(0, "OneTest")))
                .as("on another version it may take another time")
                .isEqualTo(7000);
        assertThat(times.expectedMillis(job(0, "TwoTest"))).isEqualTo(5);
    }

    private static ClassRun run(int variant, String type, long millis) {
        return new ClassRun(job(variant, type), List.of(), millis, 0, "");
    }

    private static Job job(int variant, String type) {
        return new Job(
                new Variant(variant, "", Path.of("jdk"), Map.of(), ""),
                new TestModule("shop", Path.of("shop"), "", List.of()),
                type,
                false);
    }
}
