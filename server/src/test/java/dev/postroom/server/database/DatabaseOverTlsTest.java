package dev.postroom.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import dev.postroom.testbed.Authority;
import dev.postroom.testbed.DatabaseServer;
import dev.postroom.testbed.Identity;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL over TLS, by the driver's own options in the URL, as docs/tls.md says. */
@Tag("R72")
@Timeout(180)
class DatabaseOverTlsTest {
    private static final Authority AUTHORITY = new Authority("Authority of a test");

    @TempDir
    static Path folder;

    private static TestDatabase database;

    @BeforeAll
    static void start() throws Exception {
        DatabaseServer server = Postgres.startWithTls(folder, AUTHORITY.issue("127.0.0.1"));
        database = server.freshDatabase();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE certified SUPERUSER LOGIN");
        }
    }

    private static Cli.Result migrate(String url, Authority trusted, String options, String user) {
        Path authority = trusted.write(folder.resolve("trusted.pem"));
        return Cli.in(folder)
                .property("postroom.database.url", url + "?sslmode=verify-full&sslrootcert=" + authority + options)
                .property("postroom.database.username", user)
                .property("postroom.database.password", "any")
                .run("migrate");
    }

    private static String url() {
        return database.url().replaceAll("\\?.*", "");
    }

    @Test
    void right_authority_is_connected_to() {
        Cli.Result result = migrate(url(), AUTHORITY, "", database.username());
        assertThat(result.exit()).as(result.err()).isZero();
    }

    @Test
    void unknown_authority_and_another_name_are_refused_with_what_to_do() {
        Cli.Result stranger = migrate(url(), new Authority("Another"), "", database.username());
        assertThat(stranger.exit()).isEqualTo(1);
        assertThat(stranger.err()).contains("no TLS connection to the database", "not trusted here", "sslrootcert");

        Cli.Result elsewhere = migrate(url().replace("127.0.0.1", "localhost"), AUTHORITY, "", database.username());
        assertThat(elsewhere.exit()).isEqualTo(1);
        assertThat(elsewhere.err()).contains("localhost");
    }

    @Test
    void expired_certificate_is_refused_as_such(@TempDir Path own) {
        TestDatabase expired =
                Postgres.startWithTls(own, AUTHORITY.issueExpired("127.0.0.1")).freshDatabase();
        Cli.Result result = migrate(expired.url().replaceAll("\\?.*", ""), AUTHORITY, "", expired.username());
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("no TLS connection to the database", "expired");
    }

    @Test
    void certificate_that_is_demanded_must_be_given() {
        Cli.Result without = migrate(url(), AUTHORITY, "", "certified");
        assertThat(without.exit()).isEqualTo(1);
        assertThat(without.err()).contains("certificate");

        Path certificate = folder.resolve("client.pem");
        Path key = folder.resolve("client.key");
        Identity client = AUTHORITY.issue("certified");
        client.write(certificate, key);
        Path encoded = client.writeEncodedKey(folder.resolve("client.pk8"));
        Cli.Result with = migrate(url(), AUTHORITY, "&sslcert=" + certificate + "&sslkey=" + encoded, "certified");
        assertThat(with.exit()).as(with.err()).isZero();
    }

    /** A server that speaks no TLS, or somebody in between who says so. */
    @Test
    void plain_connection_is_never_made_instead() {
        TestDatabase plain = Postgres.newest().freshDatabase();
        Cli.Result result = migrate(plain.url().replaceAll("\\?.*", ""), AUTHORITY, "", plain.username());
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("SSL");
    }
}
