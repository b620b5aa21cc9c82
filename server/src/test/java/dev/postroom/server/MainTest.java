package dev.postroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real process: what the launcher starts. */
@Tag("R54")
class MainTest {
    @TempDir
    Path folder;

    private record Ended(int exit, String out, String err) {}

    private Ended java(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.postroom.server.Main"));
        command.addAll(List.of(args));
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out)
                .redirectError(err)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(
                process.exitValue(),
                Files.readString(out.toPath(), StandardCharsets.UTF_8),
                Files.readString(err.toPath(), StandardCharsets.UTF_8));
    }

    @Test
    void says_its_version() throws IOException, InterruptedException {
        Ended ended = java("--version");
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("postroom ");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void exits_with_the_commands_code_and_keeps_standard_output_for_answers() throws IOException, InterruptedException {
        Ended wrong = java("lst");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.out()).isEmpty();
        Ended failed = java("stats", "--json");
        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).startsWith("postroom: there is no database");
    }
}
