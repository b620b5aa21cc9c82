package dev.postroom.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FuzzProgramTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int run(String... args) throws Exception {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new FuzzProgram(folder, out).run(List.of(args));
    }

    private String out() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void help_lists_the_targets() throws Exception {
        assertThat(run("--help")).isZero();
        for (Target target : Target.values()) {
            assertThat(out()).containsPattern("\n  " + target.label() + " +\\w");
        }
    }

    @Test
    void wrong_usage_says_what_is_wrong() throws Exception {
        assertThat(run("rets")).isEqualTo(2);
        assertThat(run("rest", "--seconds", "x")).isEqualTo(2);
        assertThat(run("rest", "--seconds", "1", "--runs", "1")).isEqualTo(2);
        assertThat(run("--input", "x")).isEqualTo(2);
        assertThat(out()).contains("no target 'rets'", "(was 'x')", "give one", "needs the target");
    }

    @Test
    void one_input_is_tried_without_fuzzing() throws Exception {
        Path input = Files.writeString(folder.resolve("input"), "{\"a\":\"b\"}");
        assertThat(run("headers", "--input", input.toString())).isZero();
        assertThat(out()).contains("Nothing was found");
    }
}
