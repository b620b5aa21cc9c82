package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R54")
class HelpTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "serve",
                "migrate",
                "publish",
                "list",
                "show",
                "stats",
                "retry",
                "dead-letter",
                "skip",
                "delete",
                "release",
                "pause",
                "resume",
                "replay",
                "purge",
                "erase",
                "nodes",
                "audit",
                "doctor"
            })
    void every_command_explains_itself_with_an_example(String command) {
        Cli.Result help = Cli.in(folder).run(command, "--help");
        assertThat(help.exit()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out())
                .startsWith("Usage: postroom " + command)
                .containsPattern("Examples?:\\R  postroom " + command)
                .contains("--json", "--config=FILE", "--verbose");
    }

    @Test
    void the_overview_lists_every_command_with_its_purpose() {
        Cli.Result help = Cli.in(folder).run("--help");
        assertThat(help.exit()).isZero();
        assertThat(help.out()).contains("publish      Writes one message").contains("Exit codes: 0 success");
        assertThat(Cli.in(folder).run().out()).isEqualTo(help.out());
    }

    @Test
    void help_fits_a_narrow_terminal() {
        assertThat(Cli.in(folder).width(70).run("retry", "--help").out().lines())
                .filteredOn(line -> !line.startsWith("  postroom "))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(70));
    }
}
