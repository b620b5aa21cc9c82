package dev.postroom.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor where there is nothing to examine. */
@Tag("R54")
class DoctorTest {
    @TempDir
    Path folder;

    @Test
    void stops_at_settings_that_cannot_be_read() {
        Cli.Result result = Cli.in(folder).property("postroom.zebra", "1").run("doctor", "--json");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.json().get("checks")).hasSize(1);
        assertThat(result.json().get("checks").get(0).get("says").asText()).contains("postroom.zebra is not a setting");
    }

    @Test
    void stops_at_a_database_that_cannot_be_reached() {
        Cli.Result result = Cli.in(folder)
                .property("postroom.database.url", "jdbc:h2:file:" + folder.resolve("none") + ";PASSWORD=geheim;USER=x")
                .run("doctor");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out().lines()).hasSize(2).last().asString().startsWith("wrong    database");
        assertThat(result.out()).doesNotContain("geheim");
    }
}
