package dev.postroom.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real process, in a folder with an H2 file that the commands of this test look at from outside. */
class ServeTest {
    @TempDir
    Path folder;

    private Cli cli;
    private ServerProcess server;

    @BeforeEach
    void migrate() {
        String url =
                "jdbc:h2:file:" + folder.resolve("data").resolve("postroom").toAbsolutePath() + ";AUTO_SERVER=TRUE";
        cli = Cli.in(folder).property("postroom.database.url", url);
        assertThat(cli.run("migrate").exit()).isZero();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (server != null) {
            server.close();
        }
    }

    private void serve(String settings) throws IOException {
        Files.writeString(folder.resolve("postroom.yml"), settings);
        // An H2 file belongs to whoever opens it first; if that were a command of this test, it would end with it.
        server = ServerProcess.start(folder, "serve").awaitOutput("Relaying from");
    }

    private String publish(String topic) {
        return cli.run("publish", "--topic", topic, "--key", topic + "-1", "--data", "top-secret", "--json")
                .json()
                .get("id")
                .asText();
    }

    private String status(String id) {
        return cli.run("show", id, "--json").json().get("status").asText();
    }

    @Test
    @Tag("R20")
    @Tag("R35")
    void relays_tells_how_it_is_and_stops_on_sigterm_with_success() throws Exception {
        String id = publish("orders.created");
        serve("postroom:\n  destinations:\n    out:\n      type: log\n");
        await().atMost(Duration.ofSeconds(60)).until(() -> status(id).equals("processed"));
        assertThat(server.out()).contains("Relaying from H2", "destination out: log", "every topic goes to out");
        assertThat(server.err()).contains("topic=orders.created").doesNotContain("top-secret");

        JsonNode node = cli.run("nodes", "--json").json().get(0);
        assertThat(node.get("alive").asBoolean()).isTrue();
        assertThat(node.get("lanes").asInt()).isEqualTo(64);
        assertThat(node.get("details").get("inMemory").isNumber()).isTrue();
        assertThat(cli.run("doctor").out()).containsPattern("ok +relays +1 alive");

        assertThat(server.terminate()).isZero();
        assertThat(server.err()).contains("Stopped.");
        assertThat(cli.run("doctor").out()).contains("start one");
        assertThat(cli.run("nodes", "--json").json()).isEmpty();
    }

    @Test
    @Tag("R36")
    void does_not_send_what_is_paused() throws Exception {
        assertThat(cli.run("pause", "--topic", "b", "--reason", "maintenance").exit())
                .isZero();
        String paused = publish("b");
        String other = publish("a");
        serve("postroom:\n  destinations:\n    out:\n      type: log\n  retention: 1d\n");
        await().atMost(Duration.ofSeconds(60)).until(() -> status(other).equals("processed"));
        assertThat(status(paused)).isNotEqualTo("processed");
        assertThat(cli.run("show", paused).out()).containsIgnoringCase("paused");
        assertThat(cli.run("resume", "--topic", "b", "--reason", "done").exit()).isZero();
        await().atMost(Duration.ofSeconds(20)).until(() -> status(paused).equals("processed"));
    }

    @Test
    void sends_archived_messages_again_when_they_are_replayed() throws Exception {
        String id = publish("orders.created");
        serve("postroom:\n  destinations:\n    out:\n      type: log\n");
        await().atMost(Duration.ofSeconds(60)).until(() -> status(id).equals("processed"));
        assertThat(cli.run("replay", "--topic", "orders.created", "--destination", "out", "--reason", "again")
                        .exit())
                .isZero();
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        server.err().lines().filter(line -> line.contains(id)).count() == 2);
    }

    @Test
    void without_a_relay_waits_until_it_is_stopped() throws Exception {
        Files.writeString(folder.resolve("postroom.yml"), "postroom:\n  relay:\n    enabled: false\n");
        server = ServerProcess.start(folder, "serve").awaitOutput("postroom.relay.enabled is false");
        assertThat(server.terminate()).isZero();
    }

    @Nested
    @Timeout(value = 2, unit = TimeUnit.MINUTES) // what should be refused would serve for ever
    class Refuses {
        private Cli.Result serveHere(TestDatabase database, String... settings) {
            Cli here = Cli.on(database, folder);
            for (int i = 0; i < settings.length; i += 2) {
                here.property(settings[i], settings[i + 1]);
            }
            return here.run("serve");
        }

        @Test
        void a_database_without_tables_and_says_how_to_make_them() {
            Cli.Result result = serveHere(H2.freshDatabase(), "postroom.destinations.out.type", "log");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("./postroom migrate");
        }

        @Test
        void to_have_nowhere_to_deliver_to() {
            Cli.Result result = serveHere(H2.freshDatabase());
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("postroom.destinations.out.type: log");
        }

        @Test
        void properties_of_kafka_that_could_lose_messages() {
            Cli.Result result = serveHere(
                    H2.freshDatabase(),
                    "postroom.destinations.stream.type",
                    "kafka",
                    "postroom.destinations.stream.bootstrap-servers",
                    "localhost:9092",
                    "postroom.destinations.stream.properties.acks",
                    "1");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("postroom.destinations.stream.properties", "acks must be all");
        }

        @Test
        void a_webhook_with_a_password_without_showing_it() {
            Cli.Result result = serveHere(
                    H2.freshDatabase(),
                    "postroom.destinations.hook.type",
                    "http",
                    "postroom.destinations.hook.url",
                    "https://me:top-secret@example.com/");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine())
                    .contains("postroom.destinations.hook.url", "user and password")
                    .doesNotContain("top-secret");
        }

        @Test
        void a_secret_of_a_webhook_that_is_none_without_showing_it() {
            Cli.Result result = serveHere(
                    H2.freshDatabase(),
                    "postroom.destinations.hook.type",
                    "http",
                    "postroom.destinations.hook.url",
                    "https://example.com/",
                    "postroom.destinations.hook.secret",
                    "whsec_top!secret");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine())
                    .contains("postroom.destinations.hook.secret", "base64")
                    .doesNotContain("top!secret");
        }

        @Test
        void an_address_of_rabbitmq_that_is_none_without_showing_its_password() {
            Cli.Result result = serveHere(
                    H2.freshDatabase(),
                    "postroom.destinations.mq.type",
                    "rabbitmq",
                    "postroom.destinations.mq.uri",
                    "http://guest:top-secret@localhost");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine())
                    .contains("postroom.destinations.mq.uri", "amqp://")
                    .doesNotContain("top-secret");
        }

        @Test
        void a_lease_that_cannot_be() {
            Cli.Result result = serveHere(
                    H2.freshDatabase(), "postroom.destinations.out.type", "log", "postroom.relay.lease", "100ms");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("postroom.relay.lease");
        }
    }
}
