package com.example.clients;

import com.sun.net.httpserver.HttpServer;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The shortest ones with the SDK for Java. */
final class CloudEventsReceivers {
    private final Consumer<CloudEvent> handler;

    CloudEventsReceivers(Consumer<CloudEvent> handler) {
        this.handler = handler;
    }

    private void handle(CloudEvent event) {
        handler.accept(event);
    }

    AutoCloseable http(int port) throws IOException {
        // in docs/clients.md
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/hooks", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            CloudEvent event = HttpMessageFactory.createReaderFromMultimap(exchange.getRequestHeaders(), body)
                    .toEvent();
            boolean binaryMode = exchange.getRequestHeaders().containsKey("ce-id");
            handle(binaryMode ? decoded(event) : event);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        // until here
        return () -> server.stop(0);
    }

    // and in docs/clients.md
    /** The SDK leaves attributes as they are in headers, percent-encoded. */
    private static CloudEvent decoded(CloudEvent event) {
        CloudEventBuilder builder = CloudEventBuilder.v1(event).withType(decoded(event.getType()));
        if (event.getSubject() != null) {
            builder.withSubject(decoded(event.getSubject()));
        }
        if (event.getExtension("tenantid") instanceof String tenant) {
            builder.withExtension("tenantid", decoded(tenant));
        }
        return builder.build();
    }

    private static String decoded(String value) {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
    // until here

    void kafka(String address, String topic, AtomicBoolean running) {
        // in docs/clients.md
        Properties properties = new Properties();
        properties.put("bootstrap.servers", address);
        properties.put("group.id", "billing-" + topic);
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", "false");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            while (running.get()) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    handle(KafkaMessageFactory.createReader(message).toEvent());
                }
                consumer.commitSync();
            }
        }
        // until here
    }
}
