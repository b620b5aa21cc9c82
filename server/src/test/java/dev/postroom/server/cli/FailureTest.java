package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R54")
class FailureTest {
    @TempDir
    Path folder;

    private Cli onFile(String password) {
        return Cli.in(folder)
                .property("postroom.database.url", "jdbc:h2:file:" + folder.resolve("postroom"))
                .property("postroom.database.password", password);
    }

    private static void assertFailed(Cli.Result result, String... told) {
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.firstErrorLine()).startsWith("postroom: ").contains(told);
        assertThat(result.err()).doesNotContain("\tat ", "Exception");
    }

    @Test
    void a_database_file_that_is_not_there_is_not_made_by_looking() throws IOException {
        assertFailed(onFile("").run("list"), "there is no database", "./postroom migrate");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void missing_tables_are_told_with_the_command_that_makes_them() {
        Cli cli = Cli.in(folder)
                .property("postroom.database.url", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        assertFailed(cli.run("list"), "./postroom migrate");
        assertFailed(cli.run("publish", "--topic", "t", "--data", "x", "--json"), "./postroom migrate");
    }

    @Test
    void a_wrong_password_is_told_without_showing_it() {
        assertThat(onFile("right").run("migrate").exit()).isZero();
        Cli.Result result = onFile("geheim").run("stats");
        assertFailed(result, "refused the user sa", "postroom.database.password");
        assertThat(result.err()).doesNotContain("geheim");
    }

    @Test
    void a_database_that_does_not_answer_is_told_with_its_address() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Cli.Result result = Cli.in(folder)
                .property("postroom.database.url", "jdbc:postgresql://127.0.0.1:" + port + "/x?password=geheim")
                .run("stats");
        assertFailed(
                result, "cannot reach the database at jdbc:postgresql://127.0.0.1:" + port, "postroom.database.url");
        assertThat(result.err()).doesNotContain("geheim");
    }

    @Test
    void a_url_that_no_driver_understands_is_told_with_those_that_are() {
        assertFailed(
                Cli.in(folder)
                        .property("postroom.database.url", "jdbc:oracle:thin:@x")
                        .run("stats"),
                "no driver understands",
                "jdbc:postgresql:");
        assertFailed(
                Cli.in(folder)
                        .property("postroom.database.url", "jdbc:mysql://h/d")
                        .run("stats"),
                "jdbc:mariadb: instead of jdbc:mysql:");
    }

    @Test
    void wrong_settings_are_told_before_anything_is_done() throws IOException {
        Files.writeString(folder.resolve("postroom.yml"), "postroom: {retry: {max-attemps: 3}}");
        assertFailed(Cli.in(folder).run("list"), "did you mean postroom.retry.max-attempts?");
        assertFailed(
                Cli.in(folder).run("list", "--config", folder + "/other.yml"),
                "there is no settings file",
                "other.yml",
                "--config");
    }

    @Test
    void verbose_shows_where_it_happened() {
        Cli.Result result = onFile("").run("list", "--verbose");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("\tat dev.postroom.");
    }

    @Test
    void a_file_that_is_not_there_is_told() {
        assertFailed(
                Cli.in(folder).run("publish", "--topic", "t", "--data-file", "nowhere.json"),
                "there is no file nowhere.json");
    }
}
