package dev.postroom.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TcpProxy;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is there before its database. */
@Tag("R63")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DatabaseWaitTest {
    @TempDir
    Path folder;

    private TestDatabase database;
    private TcpProxy proxy;
    private String url;

    @BeforeEach
    void hide() {
        database = Postgres.newest().freshDatabase();
        assertThat(Cli.on(database, folder).run("migrate").exit()).isZero();
        URI address = URI.create(database.url().substring("jdbc:".length()));
        proxy = TcpProxy.to(address.getHost(), address.getPort());
        proxy.refuse();
        url = database.url().replace(":" + address.getPort() + "/", ":" + proxy.port() + "/");
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    private ServerProcess serve() throws IOException {
        Files.writeString(folder.resolve("postroom.yml"), """
                postroom:
                  database:
                    url: "%s"
                    username: "%s"
                    password: "%s"
                  destinations.out.type: log
                """.formatted(url, database.username(), database.password()));
        return ServerProcess.start(folder, "serve");
    }

    @Test
    void waits_for_it_and_says_so_and_then_works() throws Exception {
        try (ServerProcess server = serve().awaitOutput("Waiting for the database at ")) {
            assertThat(server.err()).contains("s more (the driver says: ");
            assertThat(server.out()).doesNotContain("Relaying");
            proxy.accept();
            server.awaitOutput("Relaying from PostgreSQL");
            assertThat(server.terminate()).isZero();
        }
    }

    @Test
    void stops_waiting_when_it_is_told_to() throws Exception {
        try (ServerProcess server = serve().awaitOutput("Waiting for the database at ")) {
            assertThat(server.terminate()).isZero();
        }
    }

    private Cli patient(String wait) {
        return Cli.on(database, folder)
                .property("postroom.database.url", url)
                .property("postroom.database.wait", wait)
                .property("postroom.destinations.out.type", "log");
    }

    @Test
    void gives_up_after_the_time_with_one_clear_line() {
        Cli.Result result = patient("1s").run("serve");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err().lines().filter(line -> line.startsWith("postroom: ")))
                .singleElement()
                .asString()
                .contains("could not be reached for 1 s", "postroom.database.wait");
    }

    @Test
    void wrong_password_is_not_waited_for() {
        proxy.accept();
        Cli.Result result =
                patient("1h").property("postroom.database.username", "nobody").run("serve");
        assertThat(result.exit()).isEqualTo(1);
    }

    @Test
    void short_commands_do_not_wait() {
        Cli.Result result = patient("1h").run("stats");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("cannot reach the database");
    }
}
