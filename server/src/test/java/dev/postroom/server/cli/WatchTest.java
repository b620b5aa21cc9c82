package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import dev.postroom.testbed.H2;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R54")
class WatchTest {
    @TempDir
    Path folder;

    @Test
    void stats_are_shown_again_and_again_one_document_a_line_until_it_is_told_to_stop() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("data").toAbsolutePath() + ";AUTO_SERVER=TRUE";
        assertThat(Cli.in(folder)
                        .property("postroom.database.url", url)
                        .run("migrate")
                        .exit())
                .isZero();
        Files.writeString(folder.resolve("postroom.yml"), "postroom:\n  database:\n    url: \"" + url + "\"\n");
        try (ServerProcess watch = ServerProcess.start(folder, "stats", "--watch", "100ms", "--json")) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> watch.out().lines().count() >= 3);
            String line = watch.out().lines().findFirst().orElse("");
            assertThat(new ObjectMapper().readTree(line).get("backlog").asLong())
                    .isZero();
            assertThat(watch.terminate()).isZero();
        }
    }

    @Test
    void watching_without_a_pause_is_refused() {
        Cli.Result result = migrated().run("stats", "--watch", "1ms");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("at least 100ms");
    }

    @Test
    void colours_are_for_terminals_and_for_those_who_want_them() {
        Cli cli = migrated();
        assertThat(cli.run("doctor").out()).contains("ok").doesNotContain("\u001b[");
        assertThat(cli.width(100).run("doctor").out()).contains("\u001b[32mok");
        assertThat(cli.environment("NO_COLOR", "1").run("doctor").out()).doesNotContain("\u001b[");
    }

    @Test
    void completion_knows_commands_and_options() {
        assertThat(Cli.in(folder).run("completion").out())
                .contains("_complete_postroom", "dead-letter", "--dry-run", "completion");
    }

    private Cli migrated() {
        Cli cli = Cli.on(H2.freshDatabase(), folder);
        assertThat(cli.run("migrate").exit()).isZero();
        return cli;
    }
}
