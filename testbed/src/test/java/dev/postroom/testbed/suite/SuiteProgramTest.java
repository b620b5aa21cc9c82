package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The suite as the process that {@code ./postroom test} becomes. */
@Timeout(300)
class SuiteProgramTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private SmallProject project;

    @BeforeEach
    void a_project_with_one_module(@TempDir Path root) throws IOException {
        project = new SmallProject(root);
    }

    @Test
    void its_exit_code_says_whether_it_is_green() throws Exception {
        project.compile("shop", "GoodTest", "@Test void keeps() {}");
        assertThat(exitCode(start())).isZero();

        assertThat(exitCode(start("--complaint", "the build failed"))).isEqualTo(1);
    }

    @Test
    void test_jvms_end_with_it_even_in_the_middle_of_a_test() throws Exception {
        project.compile(
                "shop",
                "EndlessTest",
                "@Test void runs() throws Exception { java.nio.file.Path file = java.nio.file.Path.of(\"pid\");",
                "java.nio.file.Files.writeString(file.resolveSibling(\"next\"), \"\" + ProcessHandle.current().pid());",
                "java.nio.file.Files.move(file.resolveSibling(\"next\"), file);",
                "while (true) java.util.concurrent.locks.LockSupport.park(); }");
        Process suite = start();
        Path pid = project.root.resolve("shop/pid");
        while (!Files.exists(pid)) {
            assertThat(suite.waitFor(50, TimeUnit.MILLISECONDS)).isFalse();
        }

        suite.destroyForcibly();

        CompletableFuture<?> ended = ProcessHandle.of(Long.parseLong(project.read("shop/pid")))
                .<CompletableFuture<?>>map(ProcessHandle::onExit)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
        assertThat(ended).succeedsWithin(LIMIT);
    }

    private Process start(String... options) throws IOException {
        ProcessBuilder program = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Suite.class.getName(),
                project.root.toString());
        program.command().addAll(List.of(options));
        return program.redirectErrorStream(true)
                .redirectOutput(project.root.resolve("printed").toFile())
                .start();
    }

    private static int exitCode(Process program) throws InterruptedException {
        assertThat(program.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return program.exitValue();
    }
}
