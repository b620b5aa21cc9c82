package com.example.clients;

import dev.postroom.http.Webhook;
import dev.postroom.kafka.Kafka;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** All that docs/clients.md shows, each with a destination of its own. */
final class Clients {
    private static final String SECRET = "whsec_cG9zdHJvb20gY2xpZW50cyBzZWNyZXQ=";

    private final Path directory;
    private final Path logs;
    private final Versions versions;
    private final String kafka = KafkaBroker.shared().address();
    private final String rabbitMq = RabbitMqBroker.shared().uri();
    private final List<Client> all = new ArrayList<>();

    Clients(Path directory, Path logs, Versions versions) {
        this.directory = directory;
        this.logs = logs;
        this.versions = versions;
    }

    List<Client> all() throws IOException {
        addWebhooks();
        addKafka();
        addRabbitMq();
        return all;
    }

    private void addWebhooks() throws IOException {
        String verifier = versions.node("standardwebhooks", "express");
        webhook("webhook-js", verifier, "js/webhook.js", Ability.TEXT_ONLY, Compression.PLAIN);
        webhook("webhook-js-keep", versions.node("express"), "js/webhook-bytes.js", Ability.PAYLOAD, Compression.KEEP);
        webhook("webhook-python", versions.python(), "python/webhook.py", Ability.EVERYTHING, Compression.PLAIN);
        webhook("webhook-python-keep", versions.python(), "python/webhook.py", Ability.EVERYTHING, Compression.KEEP);
        for (ContentMode mode : ContentMode.values()) {
            String suffix = mode == ContentMode.STRUCTURED ? "-structured" : "";
            int port = freePort();
            Webhook toNode = webhook(port).contentMode(mode);
            String sdk = versions.node("cloudevents", "express");
            add("cloudevents-http-js" + suffix, sdk, Ability.EVERYTHING, toNode, "js/cloudevents-http.js", port);
            int javaPort = freePort();
            Webhook toJava = webhook(javaPort).contentMode(mode);
            String javaSdk = versions.java("cloudevents-http-basic");
            all.add(new Client(
                    "cloudevents-http-java" + suffix, javaSdk, Ability.NO_HEADERS, toJava, JavaClient.http(javaPort)));
        }
    }

    private void webhook(String topic, String libraries, String script, Ability ability, Compression compression)
            throws IOException {
        int port = freePort();
        add(topic, libraries, ability, webhook(port).compression(compression), script, port);
    }

    private static Webhook webhook(int port) {
        return Webhook.to("http://127.0.0.1:" + port + "/hooks").secret(SECRET).allowPrivateAddresses();
    }

    private void addKafka() {
        for (Compression compression : Compression.values()) {
            String suffix = compression == Compression.KEEP ? "-keep" : "";
            kafka("kafkajs" + suffix, versions.node("kafkajs"), "js/kafka.js", compression);
            kafka("kafka-python" + suffix, versions.python("kafka-python"), "python/kafka_python.py", compression);
            kafka(
                    "confluent-kafka" + suffix,
                    versions.python("confluent-kafka"),
                    "python/kafka_confluent.py",
                    compression);
        }
        for (ContentMode mode : ContentMode.values()) {
            String suffix = mode == ContentMode.STRUCTURED ? "-structured" : "";
            Kafka transport = Kafka.at(kafka).contentMode(mode);
            String sdk = versions.node("cloudevents", "kafkajs");
            add("cloudevents-kafka-js" + suffix, sdk, Ability.EVERYTHING, transport, "js/cloudevents-kafka.js", 0);
            String javaSdk = versions.java("cloudevents-kafka");
            all.add(new Client(
                    "cloudevents-kafka-java" + suffix,
                    javaSdk,
                    Ability.NO_HEADERS,
                    Kafka.at(kafka).contentMode(mode),
                    JavaClient.kafka(kafka)));
        }
    }

    private void kafka(String topic, String libraries, String script, Compression compression) {
        add(topic, libraries, Ability.EVERYTHING, Kafka.at(kafka).compression(compression), script, 0);
    }

    private void addRabbitMq() {
        for (Compression compression : Compression.values()) {
            String suffix = compression == Compression.KEEP ? "-keep" : "";
            RabbitMq toNode = RabbitMq.at(rabbitMq).compression(compression);
            add("amqplib" + suffix, versions.node("amqplib"), Ability.EVERYTHING, toNode, "js/rabbitmq.js", 0);
            RabbitMq toPython = RabbitMq.at(rabbitMq).compression(compression);
            add("pika" + suffix, versions.python("pika"), Ability.EVERYTHING, toPython, "python/rabbitmq.py", 0);
        }
    }

    private void add(String topic, String libraries, Ability ability, Transport transport, String script, int port) {
        Map<String, String> settings = Map.of(
                "KAFKA", kafka,
                "KAFKAJS_LOG_LEVEL", "ERROR", // it logs where reports go
                "RABBITMQ", rabbitMq,
                "SECRET", SECRET,
                "PORT", Integer.toString(port));
        String interpreter = script.endsWith(".py") ? versions.pythonProgram() : "node";
        Path file = directory.resolve(script);
        all.add(new Client(topic, libraries, ability, transport, Client.process(logs, settings, file, interpreter)));
    }

    /** Below those that connections are given: one of these could take it before the receiver does. */
    private static int freePort() throws IOException {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                if (tries == 100) {
                    throw e;
                }
            }
        }
    }
}
