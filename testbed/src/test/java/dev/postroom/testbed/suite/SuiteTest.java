package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.RabbitMqBroker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite on a project made for it: what is broken is told, and hides nothing else. */
class SuiteTest {

    @TempDir
    Path root;

    private Preparation preparation =
            variant -> Optional.ofNullable(variant.properties().get(RabbitMqBroker.VERSION))
                    .map(version -> version + ".9.1");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void a_project_with_one_module() throws IOException {
        write("pom.xml", "<module>shop</module>");
        write("testbed/test-jvm.options", "-Xmx200m\n-XX:TieredStopAtLevel=1\n");
        write("docs/requirements.md", "R1 | orders are kept\nR2 | nobody tests this\n");
        build("shop");
    }

    @Test
    void a_run_in_which_all_passes_is_green_and_says_which_requirements_have_no_test() throws Exception {
        compile("shop", "GoodTest", "@Test @Tag(\"R1\") void keeps() {}");

        assertThat(run()).isTrue();
        assertThat(printed())
                .contains("ok", "shop GoodTest", "No test in this run: R2", "Nothing was skipped")
                .containsPattern("R1 +orders are kept +1 +0")
                .containsPattern("The slowest classes.*\\n.*shop GoodTest")
                .containsPattern("The tests took 0:\\d\\d, with the build 1:")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_failure_is_explained_and_does_not_keep_others_from_running() throws Exception {
        compile(
                "shop",
                "BadTest",
                "@Test void loses() { System.out.println(\"on its way\"); throw new Error(\"lost 7\"); }");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run()).isFalse();
        assertThat(printed())
                .contains("FAILED BadTest.loses", "java.lang.Error: lost 7", "at com.example.BadTest", "on its way")
                .contains("shop GoodTest")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_jvm_that_ends_fails_the_class_and_the_rest_goes_on_in_another() throws Exception {
        compile("shop", "DyingTest", "@Test void dies() { Runtime.getRuntime().halt(3); }");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run("--workers", "1")).isFalse();
        assertThat(printed())
                .contains("the test JVM ended while it ran this class: exit code 3")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void what_fails_before_the_first_test_of_a_class_is_a_failure() throws Exception {
        compile(
                "shop",
                "BadTest",
                "@BeforeAll static void begin() { throw new Error(\"no server\"); } @Test void x() {}");

        assertThat(run()).isFalse();
        assertThat(printed()).contains("no server").endsWith("\n0 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void what_was_skipped_is_listed_with_the_reason() throws Exception {
        compile(
                "shop",
                "ShyTest",
                "@Test void maybe() { Assumptions.assumeTrue(false, \"no moon\"); }",
                "@Test @Disabled(\"no sun\") void never() {}");

        assertThat(run()).isTrue();
        assertThat(printed())
                .contains("ShyTest.maybe: ", "no moon", "ShyTest.never: no sun")
                .endsWith("\n0 passed, 0 failed, 2 skipped\n");
    }

    @Test
    void long_tests_run_only_when_all_are_asked_for() throws Exception {
        compile("shop", "LongTest", "@Test @Tag(\"long\") void runs() {} @Test void strolls() {}");

        assertThat(run()).isTrue();
        assertThat(printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(run("--all")).isTrue();
        assertThat(printed()).endsWith("\n2 passed, 0 failed, 0 skipped\n");
        assertThat(run("--test", "LongTest#runs")).as("or when they are named").isTrue();
        assertThat(printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_class_or_a_method_runs_alone() throws Exception {
        compile(
                "shop",
                "BadTest",
                "@Test void loses() { throw new Error(); } @Test void keeps() {}",
                "@Nested class Inside { @Test void nests() {} }");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run("--test", "GoodTest")).isTrue();
        assertThat(printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n").doesNotContain("Requirement");
        assertThat(run("--test", "BadTest#keeps")).isTrue();
        assertThat(printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(run("--test", "BadTest#nests", "--test", "BadTest#nests")).isTrue();
        assertThat(printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(run("--test", "BadTest#misspelt"))
                .as("nothing to run is no success")
                .isFalse();
        assertThat(run("--test", "NoSuchTest")).isFalse();
    }

    @Test
    void a_failure_that_cannot_be_printed_is_a_failure() throws Exception {
        compile(
                "shop",
                "BadTest",
                "@Test void loses() { throw new Error() {",
                "public String getMessage() { throw new IllegalStateException(); } }; }");

        assertThat(run()).isFalse();
        assertThat(printed()).contains("cannot be printed").endsWith("\n0 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_jvm_that_runs_out_of_memory_is_replaced() throws Exception {
        compile(
                "shop",
                "BadTest",
                "@Test void eats() { new Thread(() -> { while (true) java.util.concurrent.locks.LockSupport.park(); }).start();",
                "throw new OutOfMemoryError(); }");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run("--workers", "1")).isFalse();
        assertThat(printed()).contains("shop GoodTest").endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_test_that_hangs_is_ended_with_a_dump_of_its_threads() throws Exception {
        compile(
                "shop",
                "BadTest",
                "@Test void hangs() { while (true) java.util.concurrent.locks.LockSupport.park(); }");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run("--workers", "1", "--silence-seconds", "5")).isFalse();
        assertThat(printed())
                .contains("no test of this class ended within 5 s", "at com.example.BadTest.hangs")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_jvm_that_does_not_start_fails_the_class_and_says_why() throws Exception {
        write("testbed/test-jvm.options", "-XX:+NoSuchOption");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run()).isFalse();
        assertThat(printed()).contains("NoSuchOption").endsWith("\n0 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void a_class_whose_source_was_deleted_is_not_run() throws Exception {
        compile("shop", "OldTest", "@Test void fails() { throw new Error(); }");
        compile("shop", "GoodTest", "@Test void keeps() {}");
        Files.delete(source("shop", "OldTest"));

        assertThat(run()).isTrue();
        assertThat(printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_module_that_was_not_built_makes_the_run_red_and_others_are_tested() throws Exception {
        write("pom.xml", "<module>shop</module><module>billing</module>");
        write("billing/src/test/java/X.java", "");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run()).isFalse();
        assertThat(printed())
                .contains("module billing was not built, so nothing of it was tested")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void what_went_wrong_in_the_build_makes_the_run_red() throws Exception {
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run("--complaint", "the build failed")).isFalse();
        assertThat(printed()).containsPattern("Failed\\n +the build failed");
    }

    @Test
    void tests_about_a_server_run_on_its_other_versions_too() throws Exception {
        compile("shop", "SendsToRabbitMqTest", "@Test void sends() {}");
        compile("shop", "GoodTest", "@Test void keeps() {}");

        assertThat(run("--all")).isTrue();
        assertThat(printed())
                .contains("RabbitMQ 4 is 4.9.1\n", "shop (RabbitMQ 4) SendsToRabbitMqTest")
                .doesNotContain("(RabbitMQ 4) GoodTest", "ot tested")
                .endsWith("\n3 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_version_that_cannot_be_had_is_not_tested_and_that_is_said_with_the_reason() throws Exception {
        preparation = variant -> {
            if (variant.isFirst()) {
                return Optional.empty();
            }
            throw new IOException("only root can");
        };
        compile("shop", "SendsToRabbitMqTest", "@Test void sends() {}");

        assertThat(run("--all")).as("nothing is wrong with the project").isTrue();
        assertThat(printed())
                .contains("NOT TESTED RabbitMQ 4: only root can")
                .containsPattern("Not tested, because it cannot be had here\\n  RabbitMQ 4: only root can")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(run()).isTrue();
        assertThat(printed()).as("nobody asked for it").doesNotContain("RabbitMQ 4");
    }

    private void build(String module) throws IOException {
        Files.createDirectories(root.resolve(module + "/src/test/java"));
        Files.createDirectories(root.resolve(module + "/target/test-classes"));
        write(module + "/target/test.classpath", System.getProperty("java.class.path"));
    }

    private void compile(String module, String name, String... members) throws IOException {
        Path source = source(module, name);
        Files.createDirectories(source.getParent());
        Files.writeString(
                source,
                "package com.example; import org.junit.jupiter.api.*; class " + name + " {" + String.join("", members)
                        + "}",
                StandardCharsets.UTF_8);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        root.resolve(module + "/target/test-classes").toString(),
                        source.toString());
        assertThat(result).isZero();
    }

    private Path source(String module, String name) {
        return root.resolve(module + "/src/test/java/com/example").resolve(name + ".java");
    }

    private boolean run(String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(root.toString(), "--build-seconds", "60"));
        arguments.addAll(List.of(options));
        printed.reset();
        return new Suite(
                        Options.parse(arguments.toArray(String[]::new)),
                        preparation,
                        new PrintStream(printed, true, StandardCharsets.UTF_8))
                .run();
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text, StandardCharsets.UTF_8);
    }
}
