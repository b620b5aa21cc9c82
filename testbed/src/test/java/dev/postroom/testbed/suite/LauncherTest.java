package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./postroom} with a Maven and a Java that only write down how they were called. */
@Timeout(120)
class LauncherTest {

    private Launcher launcher;

    @BeforeEach
    void a_project_in_a_folder_with_a_space_in_its_name(@TempDir Path folder) throws IOException {
        launcher = new Launcher(folder.resolve("the project"));
        launcher.addModule("testbed", "SomeServerTest");
        launcher.addModule("shop", "OrderTest");
        launcher.addModule("transports/kafka", "SendTest");
        launcher.addModuleWithoutTests("testbed/kafka");
    }

    @Nested
    class Naming {

        @Test
        void a_class_builds_its_module_without_checks_and_runs_alone() throws Exception {
            assertThat(launcher.run("test", "com.example.OrderTest#is_kept")).isZero();

            assertThat(launcher.maven())
                    .containsPattern("-pl shop,testbed -am package -DskipTests -Dspotless.check.skip .*\\n$");
            assertThat(launcher.java())
                    .contains(" --test OrderTest#is_kept")
                    .doesNotContain("--module", "--server", "--complaint", "--all");
        }

        @Test
        void a_module_has_a_short_name_and_options_are_passed_on() throws Exception {
            assertThat(launcher.run("test", "kafka", "shop/", "--workers", "3", "-Pextra", "-am"))
                    .isZero();

            assertThat(launcher.maven()).contains("-pl shop,testbed,transports/kafka ", " -Pextra\n");
            assertThat(launcher.java()).endsWith(" --workers 3 --module transports/kafka --module shop\n");
        }

        @Test
        void modules_and_classes_may_be_named_as_for_maven() throws Exception {
            assertThat(launcher.run("test", "-pl", "shop,kafka", "-Dtest=SomeServerTest,OrderTest"))
                    .isZero();

            assertThat(launcher.java())
                    .endsWith(" --module shop --module transports/kafka --test SomeServerTest --test OrderTest\n");
        }

        @ParameterizedTest
        @CsvSource({
            "ordertest, 'no module and no test class is called ''ordertest''; modules: testbed shop'",
            "Order*, patterns are not understood",
            "-Dtest=Order*Test, patterns are not understood",
            "OrderBase, their names end in Test",
            "--workers, '--workers must be a number from 1 (was '''')'",
            "-pl, -pl needs a module"
        })
        void a_wrong_name_is_refused_before_anything_is_built(String argument, String error) throws Exception {
            launcher.write("shop/src/test/java/com/example/OrderBase.java", "");

            assertThat(launcher.run("test", argument)).isEqualTo(2);
            assertThat(launcher.printed()).startsWith("postroom: ").contains(error);
            assertThat(launcher.maven()).isEmpty();
        }

        @Test
        void nothing_is_built_again_until_a_source_changes_or_a_module_is_cleaned() throws Exception {
            launcher.run("test", "shop");
            launcher.run("test", "shop");
            assertThat(launcher.maven().lines()).hasSize(1);

            launcher.delete("shop/target/test.classpath");
            launcher.run("test", "shop");
            assertThat(launcher.maven().lines()).as("cleaned").hasSize(2);

            launcher.delete("testbed/target/testbed.jar");
            launcher.run("test", "shop");
            assertThat(launcher.maven().lines()).as("a dependency was cleaned").hasSize(3);

            launcher.makeSourcesNewer();
            launcher.run("test", "shop");
            assertThat(launcher.maven().lines()).as("changed").hasSize(4);
        }
    }

    @Nested
    class Everything {

        @Test
        void is_built_with_all_checks_and_its_servers_are_started_at_once() throws Exception {
            assertThat(launcher.run("test")).isZero();

            assertThat(launcher.maven()).endsWith(" verify -DskipTests --fail-at-end\n");
            assertThat(launcher.java())
                    .containsPattern("--begun .*/target/launcher/processors --build-seconds \\d+ ")
                    .contains("--server postgresql newest --server mariadb newest --server rabbitmq debian")
                    .doesNotContain("--complaint", "--all");
        }

        @Test
        void what_was_compiled_without_checks_for_a_command_is_compiled_again() throws Exception {
            launcher.write("shop/target/classes/Order.class", "");
            launcher.run("test");
            assertThat(launcher.root.resolve("shop/target/classes/Order.class")).exists();

            launcher.delete("server/target/postroom-server.jar");
            launcher.run("demo");
            assertThat(launcher.maven()).contains(" -Pquick ");
            launcher.run("test");
            assertThat(launcher.root.resolve("shop/target/classes/Order.class")).doesNotExist();

            launcher.write("shop/target/classes/Order.class", "");
            launcher.run("test");
            assertThat(launcher.root.resolve("shop/target/classes/Order.class"))
                    .as("compiled with checks by now")
                    .exists();
        }

        @Test
        void a_module_that_an_earlier_build_left_behind_does_not_count_as_built() throws Exception {
            launcher.run("test");
            launcher.mavenRuns("exit 0");
            launcher.write("testbed/target/test.classpath", "");

            launcher.run("test");

            assertThat(launcher.root.resolve("shop/target/test.classpath")).doesNotExist();
        }

        @Test
        void a_build_that_fails_is_a_complaint_and_what_can_be_built_without_checks_is_tested() throws Exception {
            launcher.mavenRuns("case $* in *verify*) echo '[ERROR] Order.java is not formatted'; exit 1;; esac");

            launcher.run("test");

            assertThat(launcher.printed()).contains("[ERROR] Order.java is not formatted");
            assertThat(launcher.maven().lines())
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains(" package -DskipTests --fail-at-end -Dspotless.check.skip");
            assertThat(launcher.java()).contains("--complaint the build failed; the whole log is in");
        }

        @Test
        void with_all_the_simulation_and_chaos_follow_and_any_failure_counts() throws Exception {
            launcher.write("jdk-25/bin/java", "");
            assertThat(launcher.root.resolve("jdk-25/bin/java").toFile().setExecutable(true))
                    .isTrue();
            launcher.setVariable("JAVA25_HOME", launcher.root.resolve("jdk-25").toString());
            assertThat(launcher.run("test", "--all")).isZero();
            assertThat(launcher.maven()).contains("-Pevery-server");
            assertThat(launcher.java())
                    .containsPattern(
                            "--all.* --jdk .*/jdk-25\\n.*simulate --seeds 1000000 --seconds 600\\n.*chaos --seconds 300\\n");

            for (String failing : new String[] {"Suite", "simulate", "chaos"}) {
                launcher.javaRuns("case $* in *" + failing + "*) exit 1;; esac");
                assertThat(launcher.run("test", "--all")).as(failing).isEqualTo(1);
            }
        }
    }

    @Nested
    class Ending {

        @Test
        void interrupted_tests_are_not_followed_by_the_simulation() throws Exception {
            launcher.javaRuns("case $* in *Suite*) exit 130;; esac");

            assertThat(launcher.run("test", "--all")).isEqualTo(130);
            assertThat(launcher.java().lines()).hasSize(1);
        }

        @Test
        void the_exit_code_is_that_of_the_tests() throws Exception {
            launcher.javaRuns("exit 1");

            assertThat(launcher.run("test", "shop")).isEqualTo(1);
        }

        @Test
        void a_failed_build_of_what_was_named_ends_it() throws Exception {
            launcher.run("test", "shop");
            launcher.javaRuns("exit 9");
            launcher.makeSourcesNewer();
            launcher.mavenRuns("echo '[ERROR] Order.java:[3,7] not a statement'; exit 1");

            assertThat(launcher.run("test", "shop")).isEqualTo(1);
            assertThat(launcher.printed()).contains("Order.java:[3,7] not a statement", "the build failed");
            assertThat(launcher.run("test", "shop"))
                    .as("nor is it taken as built")
                    .isEqualTo(1);
        }

        @Test
        void when_it_is_interrupted_maven_has_ended_before_it() throws Exception {
            launcher.mavenRuns("trap 'sleep 0.3; touch ended; exit 143' TERM; touch begun; sleep 60 & wait");
            Process process = launcher.start("test", "shop");
            while (!Files.exists(launcher.root.resolve("begun"))) {
                assertThat(process.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
            }

            process.destroy();

            assertThat(Launcher.exitCode(process)).isEqualTo(130);
            assertThat(launcher.root.resolve("ended")).exists();
        }

        @Test
        void a_second_run_waits_for_the_first() throws Exception {
            launcher.mavenRuns("touch begun; n=0; while [ ! -f go ] && [ $((n += 1)) -lt 1000 ]; do sleep 0.05; done");
            Process first = launcher.start("test", "shop");
            while (!Files.exists(launcher.root.resolve("begun"))) {
                assertThat(first.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
            }
            Process second = launcher.start("test", "kafka");
            while (!launcher.printed(second).contains("Waiting for another build or test run")) {
                assertThat(second.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
            }
            assertThat(launcher.maven().lines()).hasSize(1);

            launcher.write("go", "");

            assertThat(Launcher.exitCode(first)).isZero();
            assertThat(Launcher.exitCode(second)).isZero();
        }
    }

    @Nested
    class Java {

        @Test
        void a_wrong_home_or_an_old_version_is_refused() throws Exception {
            launcher.write("jdk/release", "JAVA_VERSION=\"11.0.2\"");
            assertThat(launcher.run("test", "shop")).isEqualTo(1);
            assertThat(launcher.printed()).contains("is Java 11.0.2: install a JDK 17 or newer");

            launcher.setVariable("JAVA_HOME", "/nonexistent");
            assertThat(launcher.run("test", "shop")).isEqualTo(1);
            assertThat(launcher.printed()).contains("JAVA_HOME has no bin/java (/nonexistent)");
        }
    }

    @Test
    void options_of_screenshots_are_no_folder() throws Exception {
        assertThat(launcher.run("screenshots", "--help")).isZero();
        assertThat(launcher.printed()).contains("Usage: postroom screenshots [FOLDER]");
        assertThat(launcher.run("screenshots", "--verbose")).isEqualTo(2);
        assertThat(launcher.maven()).isEmpty();
    }

    @Test
    void the_help_also_names_the_commands_of_the_source_tree() throws Exception {
        assertThat(launcher.run("--help")).isZero();
        assertThat(launcher.java()).endsWith("postroom-server.jar --help\n");
        assertThat(launcher.printed()).contains("  test   ", "  bench   ", "  chaos   ", "  screenshots ");
    }
}
