package dev.postroom.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command, with settings and databases that fail, and a hundred passwords. */
@Tag("R72")
class SecretsNeverLeaveTest {
    private static final List<String> COMMANDS = List.of(
            "stats",
            "list",
            "doctor",
            "migrate",
            "nodes",
            "audit",
            "show 00000000-0000-0000-0000-000000000001",
            "publish --topic t --data x",
            "retry --all --reason r",
            "dead-letter --all --reason r",
            "skip --all --reason r",
            "delete --all --reason r",
            "release --key k --topic t --reason r",
            "pause --topic t --reason r",
            "resume --topic t --reason r",
            "replay --topic t --destination d --reason r",
            "purge --older-than 1d --reason r",
            "doctor --json");

    /** Settings in which a password stands where it may, or where it may not. */
    private static final List<BiFunction<Cli, String, Cli>> PLACES = List.of(
            (cli, password) -> url(cli, "postgresql://127.0.0.1:%d/db?user=ann&ssl=false")
                    .property("postroom.database.password", password),
            (cli, password) -> url(cli, "postgresql://127.0.0.1:%d/db?user=ann&password=" + literal(password)),
            (cli, password) -> url(cli, "postgresql://127.0.0.1:%d/db?password=" + encoded(password) + "&ssl=false"),
            (cli, password) -> url(cli, "postgresql://ann:" + literal(password) + "@127.0.0.1:%d/db"),
            (cli, password) -> url(cli, "mariadb://127.0.0.1:%d/db?user=ann&password=" + literal(password)),
            (cli, password) -> url(cli, "mariadb://ann:" + encoded(password) + "@127.0.0.1:%d/db"),
            (cli, password) -> url(cli, "h2:mem:x;USER=ann;PASSWORD=" + literal(password) + ";NO_SUCH=1"),
            (cli, password) -> url(cli, "h2:mem:x;IFEXISTS=TRUE").environment("POSTROOM_DATABASE_PASSWORD", password),
            (cli, password) -> url(cli, "oracle:thin:ann/" + literal(password) + "@127.0.0.1:%d:x"),
            (cli, password) -> cli.property("postroom.database.url", "postgres://ann:" + password + "@h/db"),
            (cli, password) -> url(cli, "postgresql://127.0.0.1:%d/db")
                    .property("postroom.destinations.d.type", "kafka")
                    .property("postroom.destinations.d.uri", "amqp://ann:" + password + "@h")
                    .property("postroom.destinations.e.type", password + "x")
                    .property("postroom.destinations.e.secret", password));

    @TempDir
    Path folder;

    private static int closedPort;

    @BeforeEach
    void findClosedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = socket.getLocalPort();
        }
    }

    private static Cli url(Cli cli, String url) {
        return cli.property("postroom.database.url", "jdbc:" + String.format(url, closedPort));
    }

    /** For a format. */
    private static String literal(String password) {
        return password.replace("%", "%%");
    }

    private static String encoded(String password) {
        return literal(OddPasswords.encoded(password));
    }

    private static void assertHidden(String password, Cli.Result result) {
        assertThat(result.exit()).as(result.err()).isEqualTo(1);
        assertThat(result.out() + result.err()).doesNotContain(OddPasswords.forms(password));
    }

    @Test
    void whatever_fails_and_however_odd_the_password_is() {
        List<String> passwords = OddPasswords.all();
        assertThat(passwords).hasSizeGreaterThanOrEqualTo(100).doesNotHaveDuplicates();
        int runs = 0;
        for (int i = 0; i < passwords.size(); i++) {
            // Every other place: a password more or less tells little, and each run costs ten milliseconds.
            for (int place = i % 2; place < PLACES.size(); place += 2) {
                String command = COMMANDS.get(runs++ % COMMANDS.size()) + " --verbose";
                Cli cli = PLACES.get(place).apply(Cli.in(folder), passwords.get(i));
                assertHidden(passwords.get(i), cli.run(command.split(" ", -1)));
            }
        }
    }

    @Test
    void also_when_the_settings_file_cannot_be_read() throws IOException {
        for (String password : OddPasswords.all()) {
            Files.writeString(folder.resolve("postroom.yml"), """
                    postroom:
                      database:
                        url: jdbc:oracle:x
                        password: %s
                    """.formatted(password));
            assertHidden(password, Cli.in(folder).run("stats", "--verbose"));
        }
    }

    @Test
    void also_when_a_url_is_typed_as_an_argument() {
        Cli.Result result = Cli.in(folder).run("list", "jdbc:postgresql://ann:p@ss/w0rd@h/db");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("jdbc:postgresql://ann:***@h/db").doesNotContain("w0rd");
    }

    @Test
    void and_words_that_everybody_knows_stay_readable_although_they_are_passwords() {
        for (String word : List.of("postgres", "postroom", "password", "database", "root")) {
            Cli.Result result = url(Cli.in(folder), "postgresql://127.0.0.1:%d/postgres")
                    .property("postroom.database.username", "root")
                    .property("postroom.database.password", word)
                    .run("stats");
            assertThat(result.err())
                    .startsWith("postroom: cannot reach the database at jdbc:postgresql://127.0.0.1:" + closedPort
                            + "/postgres: check that it runs and postroom.database.url");
        }
    }
}
