package com.example.listeners3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.Message;
import dev.postroom.kafka.Kafka;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.Route;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

@Tag("R40")
@Tag("R42")
class ListenersTest {
    private final String name = "listeners-" + UUID.randomUUID();
    private final String large = "x".repeat(40_000); // the outbox compresses it

    @Test
    void orders_arrive_as_objects_and_what_is_no_order_holds_nobody_up() throws Exception {
        KafkaBroker kafka = KafkaBroker.shared();
        RabbitMqBroker rabbitMq = RabbitMqBroker.shared();
        createTopic(kafka);
        try (ConfigurableApplicationContext context = SpringApplication.run(
                        ListenersApplication.class,
                        "--billing.topic=" + name,
                        "--billing.queue=" + name,
                        "--billing.exchange=" + name,
                        "--spring.kafka.consumer.group-id=" + name,
                        "--spring.kafka.bootstrap-servers=" + kafka.address(),
                        "--spring.rabbitmq.addresses=" + rabbitMq.uri());
                Relay relay = relay(kafka, rabbitMq)) {
            String small = publish(relay.outbox(), "{\"order\":\"1\",\"cents\":1999,\"note\":\"é\"}");
            publish(relay.outbox(), "{ no order");
            String big = publish(relay.outbox(), "{\"order\":\"2\",\"cents\":1,\"note\":\"" + large + "\"}");

            List<Billing.Bill> expected = List.of(
                    new Billing.Bill(small, new OrderPlaced("1", 1999, "é")),
                    new Billing.Bill(big, new OrderPlaced("2", 1, large)));
            Billing billing = context.getBean(Billing.class);
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(billing.fromKafka).isEqualTo(expected);
                assertThat(billing.fromRabbitMq).isEqualTo(expected);
            });
        }
    }

    private String publish(Outbox outbox, String json) {
        return outbox.publishInOwnTransaction(Message.to(name).key("1").text("application/json", json))
                .id()
                .toString();
    }

    private Relay relay(KafkaBroker kafka, RabbitMqBroker rabbitMq) {
        TestDatabase database = H2.freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        return Relay.on(database.dataSource())
                .deliverTo("kafka", Kafka.at(kafka.address()))
                .deliverTo("rabbitmq", RabbitMq.at(rabbitMq.uri()).exchange(name))
                .route(Route.of("**", "kafka", "rabbitmq"))
                .start();
    }

    private void createTopic(KafkaBroker kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        }
    }
}
