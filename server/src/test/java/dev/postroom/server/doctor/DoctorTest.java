package dev.postroom.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import dev.postroom.server.database.Installation;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({"60, WARNING, behind", "-60, WARNING, ahead of", "0, OK, this machine"})
    @Tag("R31")
    void compares_the_clocks_of_this_machine_and_the_database(int seconds, Finding.Level level, String says) {
        TestDatabase database = H2.freshDatabase();
        assertThat(Cli.on(database, folder).run("migrate").exit()).isZero();
        Settings settings = Settings.load(new SettingsSources(
                null,
                Map.of(),
                Map.of(
                        "postroom.database.url", database.url(),
                        "postroom.database.username", database.username(),
                        "postroom.database.password", database.password())));
        InstantSource here = () -> Instant.now().plusSeconds(seconds);
        try (Installation installation = new Installation(settings)) {
            assertThat(new Doctor(here).examine(() -> installation))
                    .filteredOn(finding -> finding.check().equals("clock"))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.level()).isEqualTo(level);
                        assertThat(finding.says()).contains(says);
                    });
        }
    }

    @Test
    @Tag("R58")
    void warns_like_migrate_where_everybody_may_create_beside_the_tables() {
        TestDatabase database = Postgres.oldest().freshDatabase();
        assertThat(Cli.on(database, folder).run("migrate").err())
                .contains("warning: PUBLIC may create in the schema of the tables", "REVOKE CREATE ON SCHEMA");
        assertThat(Cli.on(database, folder).run("doctor").out())
                .containsPattern("warning +schema rights +PUBLIC may create .*-> REVOKE CREATE ON SCHEMA");
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
