package dev.postroom.server.hostile;

import com.sun.net.httpserver.HttpServer;
import dev.postroom.handler.Handlers;
import dev.postroom.http.Webhook;
import dev.postroom.inbox.Inbox;
import dev.postroom.kafka.Kafka;
import dev.postroom.kafka.KafkaInbox;
import dev.postroom.policy.Route;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.rabbitmq.RabbitMqInbox;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** A web server, a queue, a topic and a function, and what has arrived at each. Thread-safe. */
final class Receivers implements AutoCloseable {
    private final String name = "hostile-" + UUID.randomUUID();
    private final Map<Way, Set<UUID>> arrived = new EnumMap<>(Way.class);
    private final RabbitMqBroker rabbitMq;
    private final KafkaBroker kafka;
    private final HttpServer web;
    private final RabbitMqInbox queue;
    private final KafkaInbox topic;

    Receivers(RabbitMqBroker rabbitMq, KafkaBroker kafka) throws IOException {
        this.rabbitMq = rabbitMq;
        this.kafka = kafka;
        for (Way way : Way.values()) {
            arrived.put(way, ConcurrentHashMap.newKeySet());
        }
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.setExecutor(Executors.newFixedThreadPool(2));
        web.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            arrived(Way.HTTP, exchange.getRequestHeaders().getFirst("webhook-id"));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        web.start();
        TestDatabase memory = H2.freshDatabase();
        Store.open(memory.dataSource(), TableNames.DEFAULT).schema().migrate();
        Inbox inbox = Inbox.on(memory.dataSource());
        queue = RabbitMqInbox.at(rabbitMq.uri(), name)
                .bind(name, "#")
                .start(inbox, (message, tx) -> arrived(Way.RABBITMQ, message.id()));
        topic = KafkaInbox.at(kafka.address(), name)
                .topics(name)
                .start(inbox, (message, tx) -> arrived(Way.KAFKA, message.id()));
    }

    private void arrived(Way way, String id) {
        arrived.get(way).add(UUID.fromString(id));
    }

    Set<UUID> at(Way way) {
        return arrived.get(way);
    }

    Relay.Builder relay(TestDatabase database) {
        Relay.Builder relay = Relay.on(database.dataSource())
                .deliverTo(Destination.of(
                        Way.HTTP.label(),
                        Webhook.to("http://127.0.0.1:" + web.getAddress().getPort())
                                .allowPrivateAddresses()))
                .deliverTo(Destination.of(
                        Way.RABBITMQ.label(), RabbitMq.at(rabbitMq.uri()).exchange(name)))
                .deliverTo(Destination.of(
                        Way.KAFKA.label(), Kafka.at(kafka.address()).topic(name)))
                .deliverTo(Destination.of(
                        Way.HANDLERS.label(),
                        Handlers.create()
                                .otherwise(delivery ->
                                        arrived(Way.HANDLERS, delivery.id().toString()))));
        for (Way way : Way.values()) {
            relay.route(Route.of(way.label() + ".**", way.label()));
        }
        return relay;
    }

    @Override
    public void close() {
        queue.close();
        topic.close();
        web.stop(0);
        ((java.util.concurrent.ExecutorService) web.getExecutor()).shutdownNow();
    }
}
