package dev.postroom.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import dev.postroom.testbed.RabbitMqBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real process and a real broker. */
@Timeout(180)
class ServeToRabbitMqTest {
    private static final String DEFINITIONS = """
            {"vhosts": [{"name": "VHOST"}],
             "exchanges": [{"name": "shop", "vhost": "VHOST", "type": "topic", "durable": true, "auto_delete": false,
                            "internal": false, "arguments": {}}],
             "queues": [{"name": "billing", "vhost": "VHOST", "durable": true, "auto_delete": false, "arguments": {}},
                        {"name": "orders.created", "vhost": "VHOST", "durable": true, "auto_delete": false, "arguments": {}}],
             "bindings": [{"source": "shop", "vhost": "VHOST", "destination": "billing", "destination_type": "queue",
                           "routing_key": "out.everything", "arguments": {}}]}
            """;

    @TempDir
    Path folder;

    @Test
    @Tag("R20")
    @Tag("R56")
    void delivers_to_the_exchange_and_routing_key_that_are_set_or_by_an_empty_exchange_to_the_queue_of_the_topic()
            throws Exception {
        String database =
                "jdbc:h2:file:" + folder.resolve("data").resolve("postroom").toAbsolutePath() + ";AUTO_SERVER=TRUE";
        Cli cli = Cli.in(folder).property("postroom.database.url", database);
        assertThat(cli.run("migrate").exit()).isZero();
        String id = cli.run("publish", "--topic", "orders.created", "--data", "top-secret", "--json")
                .json()
                .get("id")
                .asText();
        try (RabbitMqBroker broker = RabbitMqBroker.start()) {
            Path definitions = Files.writeString(
                    folder.resolve("definitions.json"), DEFINITIONS.replace("VHOST", broker.virtualHost()));
            broker.control("import_definitions", definitions.toString());
            Files.writeString(folder.resolve("postroom.yml"), """
                    postroom:
                      destinations:
                        mq:
                          type: rabbitmq
                          uri: %s
                          exchange: shop
                          routing-key: out.everything
                        queue:
                          type: rabbitmq
                          uri: %s
                          exchange: ""
                      routes:
                        - topic: "**"
                          destinations: [mq, queue]
                    """.formatted(broker.uri(), broker.uri()));
            try (ServerProcess server = ServerProcess.start(folder, "serve").awaitOutput("Relaying from")) {
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> cli.run("show", id, "--json")
                                .json()
                                .get("status")
                                .asText()
                                .equals("processed"));
                // A quorum queue is counted every few seconds.
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(
                                        broker.control("list_queues", "-p", broker.virtualHost(), "name", "messages"))
                                .containsPattern("billing\\s+1\\b")
                                .containsPattern("orders.created\\s+1\\b"));
                assertThat(server.terminate()).isZero();
                assertThat(server.out())
                        .contains("destination mq: rabbitmq amqp://127.0.0.1", "exchange shop", "the default exchange");
                assertThat(server.out() + server.err()).doesNotContain(broker.password(), "top-secret");
            }
        }
    }
}
