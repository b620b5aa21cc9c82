package dev.postroom.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import dev.postroom.testbed.KafkaBroker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real process with a web server and a real broker. */
@Timeout(180)
class ServeToWebAndKafkaTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void migrate() {
        String database =
                "jdbc:h2:file:" + folder.resolve("data").resolve("postroom").toAbsolutePath() + ";AUTO_SERVER=TRUE";
        cli = Cli.in(folder).property("postroom.database.url", database);
        assertThat(cli.run("migrate").exit()).isZero();
    }

    private String publish(String topic) {
        return cli.run("publish", "--topic", topic, "--data", "top-secret", "--json")
                .json()
                .get("id")
                .asText();
    }

    private void awaitProcessed(String id) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cli.run("show", id, "--json")
                        .json()
                        .get("status")
                        .asText()
                        .equals("processed"));
    }

    @Test
    @Tag("R56")
    @Tag("R57")
    void delivers_signed_webhooks_with_both_secrets() throws Exception {
        List<Headers> received = new CopyOnWriteArrayList<>();
        HttpServer web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/hooks", exchange -> {
            received.add(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        web.start();
        String id = publish("orders.created");
        Files.writeString(
                folder.resolve("postroom.yml"), """
                postroom:
                  destinations:
                    hook:
                      type: http
                      url: http://127.0.0.1:%d/hooks/path-token
                      secrets:
                        - whsec_bmV3IHNlY3JldCBvZiAyNCBieXRlcw==
                        - older-secret
                      timeout: 5s
                      allow-private-addresses: true
                """.formatted(web.getAddress().getPort()));
        try (ServerProcess server = ServerProcess.start(folder, "serve").awaitOutput("Relaying from")) {
            awaitProcessed(id);
            assertThat(received).hasSize(1);
            assertThat(received.get(0).getFirst("Ce-id")).isEqualTo(id);
            assertThat(received.get(0).getFirst("Webhook-signature")).matches("v1,\\S+ v1,\\S+");
            assertThat(server.terminate()).isZero();
            assertThat(server.out()).contains("destination hook: http http://127.0.0.1");
            assertThat(server.out() + server.err()).doesNotContain("path-token", "older-secret", "top-secret");
        } finally {
            web.stop(0);
        }
    }

    @Test
    @Tag("R20")
    @Tag("R56")
    void delivers_to_kafka_with_the_properties_that_are_set() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start("auto.create.topics.enable=true\n")) {
            String id = publish("orders.created");
            Files.writeString(folder.resolve("postroom.yml"), """
                    postroom:
                      destinations:
                        stream:
                          type: kafka
                          bootstrap-servers: [%s]
                          topic: everything
                          properties:
                            client.id: the-relay
                            ssl.key.password: hidden-password
                    """.formatted(broker.address()));
            try (ServerProcess server = ServerProcess.start(folder, "serve").awaitOutput("Relaying from")) {
                awaitProcessed(id);
                assertThat(server.terminate()).isZero();
                assertThat(server.out())
                        .contains("destination stream: kafka " + broker.address() + " topic everything");
                assertThat(server.out() + server.err()).doesNotContain("hidden-password", "top-secret");
            }
        }
    }
}
