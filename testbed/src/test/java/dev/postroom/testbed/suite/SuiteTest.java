package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite on a project made for it: what is broken is told, and hides nothing else. */
class SuiteTest {

    private SmallProject project;

    @BeforeEach
    void a_project_with_one_module(@TempDir Path root) throws IOException {
        project = new SmallProject(root);
    }

    @Test
    void a_run_in_which_all_passes_is_green_and_says_which_requirements_have_no_test() throws Exception {
        project.compile("shop", "GoodTest", "@Test @Tag(\"R1\") void keeps() {}");

        assertThat(project.test()).isTrue();
        assertThat(project.printed())
                .contains("ok", "shop GoodTest", "No test in this run: R2", "Nothing was skipped")
                .containsPattern("R1 +orders are kept +1 +0")
                .containsPattern("The slowest classes.*\\n.*shop GoodTest")
                .containsPattern("The tests took 0:\\d\\d, with the build 1:")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_failure_is_explained_and_does_not_keep_others_from_running() throws Exception {
        project.compile(
                "shop",
                "BadTest",
                "@Test void loses() { System.out.println(\"on its way\"); throw new Error(\"lost 7\"); }");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test()).isFalse();
        assertThat(project.printed())
                .contains("FAILED BadTest.loses", "java.lang.Error: lost 7", "at com.example.BadTest", "on its way")
                .contains("shop GoodTest")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_jvm_that_ends_fails_the_class_and_the_rest_goes_on_in_another() throws Exception {
        project.runsFirst("shop", "DyingTest");
        project.compile("shop", "DyingTest", "@Test void dies() { Runtime.getRuntime().halt(3); }");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test("--workers", "1")).isFalse();
        assertThat(project.printed())
                .contains("the test JVM ended while it ran this class: exit code 3")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void what_fails_before_the_first_test_of_a_class_is_a_failure() throws Exception {
        project.compile(
                "shop",
                "BadTest",
                "@BeforeAll static void begin() { throw new Error(\"no server\"); } @Test void x() {}");

        assertThat(project.test()).isFalse();
        assertThat(project.printed()).contains("no server").endsWith("\n0 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void what_was_skipped_is_listed_with_the_reason() throws Exception {
        project.compile(
                "shop",
                "ShyTest",
                "@Test void maybe() { Assumptions.assumeTrue(false, \"no moon\"); }",
                "@Test @Disabled(\"no sun\") void never() {}");

        assertThat(project.test()).isTrue();
        assertThat(project.printed())
                .contains("ShyTest.maybe: ", "no moon", "ShyTest.never: no sun")
                .endsWith("\n0 passed, 0 failed, 2 skipped\n");
    }

    @Test
    void long_tests_run_only_when_all_are_asked_for() throws Exception {
        project.compile("shop", "LongTest", "@Test @Tag(\"long\") void runs() {} @Test void strolls() {}");

        assertThat(project.test()).isTrue();
        assertThat(project.printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(project.test("--all")).isTrue();
        assertThat(project.printed()).endsWith("\n2 passed, 0 failed, 0 skipped\n");
        assertThat(project.test("--test", "LongTest#runs"))
                .as("or when they are named")
                .isTrue();
        assertThat(project.printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_failure_that_cannot_be_printed_is_a_failure() throws Exception {
        project.compile(
                "shop",
                "BadTest",
                "@Test void loses() { throw new Error() {",
                "public String getMessage() { throw new IllegalStateException(); } }; }");

        assertThat(project.test()).isFalse();
        assertThat(project.printed()).contains("cannot be printed").endsWith("\n0 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_jvm_that_runs_out_of_memory_is_replaced() throws Exception {
        project.runsFirst("shop", "BadTest");
        project.compile(
                "shop",
                "BadTest",
                "@Test void eats() { new Thread(() -> { while (true) java.util.concurrent.locks.LockSupport.park(); }).start();",
                "throw new OutOfMemoryError(); }");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test("--workers", "1")).isFalse();
        assertThat(project.printed()).contains("shop GoodTest").endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_test_that_hangs_is_ended_with_a_dump_of_its_threads() throws Exception {
        project.runsFirst("shop", "BadTest");
        project.compile(
                "shop",
                "BadTest",
                "@Test void hangs() { while (true) java.util.concurrent.locks.LockSupport.park(); }");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        // Long enough for a JVM to start and reach the test on a busy machine.
        assertThat(project.test("--workers", "1", "--silence-seconds", "15")).isFalse();
        assertThat(project.printed())
                .contains("no test of this class ended within 15 s", "at com.example.BadTest.hangs")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_jvm_that_does_not_start_fails_the_class_and_says_why() throws Exception {
        project.write("testbed/test-jvm.options", "-XX:+NoSuchOption");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test()).isFalse();
        assertThat(project.printed()).contains("NoSuchOption").endsWith("\n0 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void nothing_of_an_earlier_run_is_left_to_be_taken_for_this_one() throws Exception {
        project.write("target/tests/shop-9.1.log", "");
        project.write("target/tests/results.tsv", "FAILED");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test()).isTrue();
        assertThat(project.root.resolve("target/tests/shop-9.1.log")).doesNotExist();
        assertThat(project.read("target/tests/results.tsv"))
                .matches("PASSED\t\\d+\tshop\tcom.example.GoodTest\tkeeps\n");
        assertThat(project.read("target/tests/times.tsv")).matches("shop com.example.GoodTest\t\\d+\n");
    }

    @Test
    void a_class_whose_source_was_deleted_is_not_run() throws Exception {
        project.compile("shop", "OldTest", "@Test void fails() { throw new Error(); }");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");
        Files.delete(project.source("shop", "OldTest"));

        assertThat(project.test()).isTrue();
        assertThat(project.printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_module_that_was_not_built_makes_the_run_red_and_others_are_tested() throws Exception {
        project.write("pom.xml", "<module>shop</module><module>billing</module>");
        project.write("billing/src/test/java/X.java", "");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test()).isFalse();
        assertThat(project.printed())
                .contains("module billing was not built, so nothing of it was tested")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void what_went_wrong_in_the_build_makes_the_run_red() throws Exception {
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test("--complaint", "the build failed")).isFalse();
        assertThat(project.printed()).containsPattern("Failed\\n +the build failed");
    }

    @Test
    void tests_about_a_server_run_on_its_other_versions_too() throws Exception {
        project.compile("shop", "SendsToRabbitMqTest", "@Test void sends() {} @Test @Tag(\"long\") void floods() {}");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(project.test("--all")).isTrue();
        assertThat(project.printed())
                .contains(
                        "RabbitMQ 4 is 4.9.1\n",
                        "shop (RabbitMQ 4) SendsToRabbitMqTest",
                        "shop (RabbitMQ 4-quorum) SendsToRabbitMqTest",
                        "shop (RabbitMQ 4.0-quorum) SendsToRabbitMqTest",
                        "shop (RabbitMQ debian-quorum) SendsToRabbitMqTest")
                .doesNotContain("(RabbitMQ 4) GoodTest", "ot tested")
                .endsWith("\n7 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_version_that_is_not_available_is_named_with_the_reason() throws Exception {
        project.preparation = variant -> {
            if (variant.isFirst()) {
                return Optional.empty();
            }
            throw new IOException("only root can");
        };
        project.compile("shop", "SendsToRabbitMqTest", "@Test void sends() {}");

        assertThat(project.test("--all"))
                .as("nothing is wrong with the project")
                .isTrue();
        assertThat(project.printed())
                .contains("NOT TESTED RabbitMQ 4: only root can")
                .containsPattern("Not tested, because it is not available here\\n  RabbitMQ 4: only root can")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(project.test()).isTrue();
        assertThat(project.printed()).as("nobody asked for it").doesNotContain("4.0-quorum");
    }
}
