package dev.postroom.server.database;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another user of the machine can do with the default database: nothing. */
@Tag("R55")
class H2FileTest {
    @TempDir
    Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    private String url() {
        return "jdbc:h2:file:" + data().resolve("postroom").toAbsolutePath() + ";AUTO_SERVER=TRUE";
    }

    private Cli cli() {
        return Cli.in(folder).property("postroom.database.url", url());
    }

    private Cli.Result migrated() {
        Cli.Result result = cli().run("migrate");
        assertThat(result.exit()).as(result.err()).isZero();
        return result;
    }

    @Test
    void running_server_is_closed_to_others_and_open_to_its_users_commands() throws Exception {
        migrated();
        Files.writeString(folder.resolve("postroom.yml"), "postroom:\n  destinations:\n    out:\n      type: log\n");
        try (ServerProcess server = ServerProcess.start(folder, "serve").awaitOutput("Relaying from")) {
            assertThat(Files.getPosixFilePermissions(data())).isEqualTo(fromString("rwx------"));
            for (String suffix : new String[] {".mv.db", ".lock.db", ".password"}) {
                assertThat(Files.getPosixFilePermissions(data().resolve("postroom" + suffix)))
                        .as(suffix)
                        .isEqualTo(fromString("rw-------"));
            }
            int port = port();
            assertThatThrownBy(() -> new Socket("127.0.0.2", port)).isInstanceOf(ConnectException.class);
            assertThat(cli().run("stats").exit()).as(server.err()).isZero();
        }
    }

    private int port() throws IOException {
        Properties lock = new Properties();
        try (InputStream in = Files.newInputStream(data().resolve("postroom.lock.db"))) {
            lock.load(in);
        }
        String server = lock.getProperty("server");
        return Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
    }

    @Test
    void nobody_opens_it_without_its_password() {
        migrated();
        assertThatThrownBy(() -> DriverManager.getConnection(url(), "sa", ""))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28000"));
    }

    @Test
    void lost_password_is_explained_and_no_other_is_made() throws IOException {
        migrated();
        Path password = data().resolve("postroom.password");
        Files.delete(password);
        Cli.Result result = cli().run("stats");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains(password.toString(), "restore that file", "postroom.database.password");
        assertThat(cli().run("migrate").exit()).isEqualTo(1);
        assertThat(password).doesNotExist();
    }

    @Test
    void database_that_an_application_made_without_a_password_is_opened_as_it_is() throws Exception {
        Files.createDirectories(data());
        DriverManager.getConnection(url(), "sa", "").close();
        migrated();
        assertThat(cli().run("stats").exit()).isZero();
        assertThat(data().resolve("postroom.password")).doesNotExist();
    }

    @Test
    void looking_for_a_database_leaves_nothing_behind() {
        assertThat(cli().run("stats").exit()).isEqualTo(1);
        assertThat(data()).doesNotExist();
    }

    @Test
    void script_in_the_url_is_refused_unless_it_is_allowed() {
        Cli scripted =
                cli().property("postroom.database.url", url() + ";init=CREATE TABLE IF NOT EXISTS from_url (id int)");
        Cli.Result refused = scripted.run("migrate");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("postroom.database.url has a script", "postroom.database.allow-scripts");
        assertThat(data()).doesNotExist();

        for (String odd : new String[] {";IN\\IT=", "; init=", ";\\i\\n\\i\\t="}) {
            Cli hidden = cli().property("postroom.database.url", url() + odd + "CREATE TABLE from_url (id int)");
            assertThat(hidden.run("migrate").err()).as(odd).contains("postroom.database.url has a script");
        }

        Cli.Result allowed =
                scripted.property("postroom.database.allow-scripts", "true").run("migrate");
        assertThat(allowed.exit()).as(allowed.err()).isZero();
    }
}
