package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs when modules, classes or methods are named. */
class SelectionTest {

    private SmallProject project;

    @BeforeEach
    void a_project_with_one_module(@TempDir Path root) throws IOException {
        project = new SmallProject(root);
    }

    @Test
    void a_class_or_a_method_runs_alone() throws Exception {
        project.compile(
                "shop",
                "BadTest",
                "@Test void loses() { throw new Error(); } @Test void keeps() {}",
                "@Nested class Inside { @Test void nests() {} }");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");
        project.compile("shop", "GoodTestIsNotThisTest", "@Test void fails() { throw new Error(); }");

        assertThat(project.test("--test", "GoodTest")).isTrue();
        assertThat(project.printed())
                .endsWith("\n1 passed, 0 failed, 0 skipped\n")
                .doesNotContain("Requirement");
        assertThat(project.test("--test", "BadTest#keeps")).isTrue();
        assertThat(project.printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
        assertThat(project.test("--test", "BadTest#nests", "--test", "BadTest#nests"))
                .isTrue();
        assertThat(project.printed()).endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_module_runs_alone_or_with_a_class_of_another() throws Exception {
        project.write("pom.xml", "<module>shop</module><module>billing</module>");
        project.build("billing");
        project.compile("shop", "BadTest", "@Test void fails() { throw new Error(); }");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");
        project.compile("billing", "InvoiceTest", "@Test void adds() {}");
        project.compile("billing", "ReminderTest", "@Test void reminds() {}");

        assertThat(project.test("--module", "billing")).isTrue();
        assertThat(project.printed()).endsWith("\n2 passed, 0 failed, 0 skipped\n");
        assertThat(project.test("--module", "billing", "--test", "GoodTest")).isTrue();
        assertThat(project.printed()).endsWith("\n3 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_name_that_runs_no_test_makes_the_run_red_whatever_else_passes() throws Exception {
        project.write("pom.xml", "<module>shop</module><module>empty</module><module>unbuilt</module>");
        project.write("unbuilt/src/test/java/X.java", "");
        project.build("empty");
        project.compile("shop", "GoodTest", "@Test void keeps() {}");
        project.compile("shop", "OtherTest", "@Test void keeps() {}");

        assertThat(project.test(
                        "--module",
                        "empty",
                        "--module",
                        "unbuilt",
                        "--test",
                        "GoodTest",
                        "--test",
                        "NoSuchTest",
                        "--test",
                        "OtherTest#misspelt"))
                .isFalse();
        assertThat(project.printed())
                .containsPattern("Failed\\n  no test of module empty ran\\n  no test of module unbuilt ran\\n"
                        + "  no test is called NoSuchTest\\n  no test is called OtherTest#misspelt\\n")
                .endsWith("\n1 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void a_project_without_tests_is_red() throws Exception {
        assertThat(project.test()).isFalse();
        assertThat(project.printed()).contains("FAILED no test ran");
    }

    @Test
    void an_unknown_option_is_refused() {
        assertThatThrownBy(() -> project.test("--everything"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--everything");
    }
}
