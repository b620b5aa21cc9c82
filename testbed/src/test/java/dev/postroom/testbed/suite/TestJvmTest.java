package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tests find around them, and what is told about them. */
class TestJvmTest {

    private SmallProject project;

    @BeforeEach
    void a_project_with_one_module(@TempDir Path root) throws IOException {
        project = new SmallProject(root);
    }

    /** The test fails to tell what it found. */
    @Test
    void a_test_finds_its_folder_the_options_of_the_project_and_where_servers_are() throws Exception {
        project.write("testbed/test-jvm.options", "-Dfrom.file=yes");
        project.compile("shop", "LookingTest", telling("user.dir", "basedir", "from.file", "postroom.test.all"));
        project.compile(
                "shop",
                "ServersTest",
                "@Test void looks() { Integer.parseInt(",
                "System.getProperty(\"postroom.testbed.run\")); }");
        String folder = project.root.resolve("shop").toString();

        assertThat(project.test()).isFalse();
        assertThat(project.printed())
                .contains("Error: user.dir=" + folder + " basedir=" + folder + " from.file=yes postroom.test.all=false")
                .endsWith("\n1 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void with_all_tests_each_variant_has_its_jdk_and_its_servers() throws Exception {
        Path jdk = project.root.resolve("jdk-next");
        project.write(
                "jdk-next/bin/java",
                "#!/bin/sh\nexec '" + System.getProperty("java.home") + "/bin/java' -Dfrom.jdk=next \"$@\"\n");
        assertThat(jdk.resolve("bin/java").toFile().setExecutable(true)).isTrue();
        project.compile("shop", "RabbitMqTest", telling("from.jdk", "postroom.testbed.rabbitmq", "postroom.test.all"));

        assertThat(project.test("--all", "--jdk", jdk.toString())).isFalse();
        assertThat(project.printed())
                .containsPattern("shop RabbitMqTest.tells: .*from.jdk=null postroom.testbed.rabbitmq=null .*all=true")
                .containsPattern("shop \\(JDK in jdk-next\\) RabbitMqTest.tells: .*from.jdk=next .*rabbitmq=null")
                .containsPattern("shop \\(RabbitMQ 4\\) RabbitMqTest.tells: .*from.jdk=null .*rabbitmq=4")
                .containsPattern("shop \\(RabbitMQ 4-quorum\\) RabbitMqTest.tells: .*from.jdk=null .*rabbitmq=4-quorum")
                .endsWith("\n0 passed, 6 failed, 0 skipped\n");
    }

    @Test
    void what_another_class_printed_is_not_shown_with_a_failure() throws Exception {
        project.runsFirst("shop", "QuietTest");
        project.compile("shop", "QuietTest", "@Test void passes() { System.out.println(\"by another class\"); }");
        project.compile(
                "shop", "BadTest", "@Test void fails() { System.out.println(\"by itself\"); throw new Error(); }");

        assertThat(project.test("--workers", "1")).isFalse();
        assertThat(project.printed()).contains("by itself").doesNotContain("by another class");
    }

    @Test
    void only_the_end_of_what_a_failed_class_printed_is_shown() throws Exception {
        project.compile(
                "shop",
                "LoudTest",
                "@Test void fails() { System.out.println(\"at first\"); System.out.println(\"x\".repeat(40_000));",
                "System.out.println(\"at last\"); throw new Error(); }");

        assertThat(project.test()).isFalse();
        assertThat(project.printed()).contains("at last").doesNotContain("at first");
    }

    @Test
    void jvms_run_side_by_side() throws Exception {
        project.compile("shop", "HereTest", meeting("here", "there"));
        project.compile("shop", "ThereTest", meeting("there", "here"));

        assertThat(project.test("--workers", "2")).isTrue();
    }

    @Test
    void each_repetition_is_a_result_with_its_time_and_its_tags() throws Exception {
        project.compile(
                "shop",
                "CountingTest",
                "@org.junit.jupiter.params.ParameterizedTest @Tag(\"I3\")",
                "@org.junit.jupiter.params.provider.ValueSource(ints = {7, 8}) void counts(int number) {",
                "long end = System.nanoTime() + 20_000_000; while (System.nanoTime() < end) Thread.onSpinWait(); }");

        assertThat(project.test()).isTrue();
        assertThat(project.read("target/tests/results.tsv").lines())
                .hasSize(2)
                .first()
                .asString()
                .matches("PASSED\t[1-9]\\d+\tshop\tcom.example.CountingTest\tcounts\\[1].*7.*");
        assertThat(project.printed())
                .containsPattern("I3 +2 +0\\n")
                .containsPattern("CPU of their JVMs\\n +\\d+\\.\\d +(?!0\\.0)\\d+\\.\\d  shop CountingTest");
    }

    private static String telling(String... properties) {
        StringBuilder text = new StringBuilder("@Test void tells() { String text = \"\";");
        for (String property : properties) {
            text.append("text += \"" + property + "=\" + System.getProperty(\"" + property + "\") + \" \";");
        }
        return text.append("throw new Error(text); }").toString();
    }

    /** Passes only while the other one runs. */
    private static String meeting(String own, String other) {
        return "@Test @Timeout(60) void meets() throws Exception {"
                + "java.nio.file.Files.createFile(java.nio.file.Path.of(\"" + own + "\"));"
                + "while (!java.nio.file.Files.exists(java.nio.file.Path.of(\"" + other + "\"))) Thread.sleep(10); }";
    }
}
