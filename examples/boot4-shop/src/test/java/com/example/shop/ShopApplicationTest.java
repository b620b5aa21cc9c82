package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

@Tag("R1")
@Tag("R20")
class ShopApplicationTest {
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final TestDatabase database = Postgres.newest().freshDatabase();

    @Test
    void every_order_and_no_refused_one_reaches_the_broker() throws Exception {
        String exchange = "shop-" + UUID.randomUUID();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(RabbitMqBroker.shared().uri());
        try (Connection connection = factory.newConnection("test");
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(exchange, "topic", true);
            String queue = channel.queueDeclare().getQueue();
            channel.queueBind(queue, exchange, "orders.#");

            try (ConfigurableApplicationContext shop = run(exchange)) {
                JdbcTemplate jdbc = shop.getBean(JdbcTemplate.class);
                // One in ten orders is refused after it was published.
                await().atMost(Duration.ofSeconds(60)).until(() -> orders(jdbc).size() >= 100);
            }
            Set<String> saved;
            try (ConfigurableApplicationContext shop = run(exchange, "--shop.open=false")) {
                JdbcTemplate jdbc = shop.getBean(JdbcTemplate.class);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> jdbc.queryForList("select id from postroom_message")
                                .isEmpty());
                saved = orders(jdbc);
            }
            List<String> received = new ArrayList<>();
            for (GetResponse message = channel.basicGet(queue, true);
                    message != null;
                    message = channel.basicGet(queue, true)) {
                Matcher id = ID.matcher(new String(message.getBody(), StandardCharsets.UTF_8));
                assertThat(id.find()).isTrue();
                received.add(id.group(1));
            }
            assertThat(new HashSet<>(received)).isEqualTo(saved);
            channel.exchangeDelete(exchange);
        }
    }

    private ConfigurableApplicationContext run(String exchange, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.username(),
                "--spring.datasource.password=" + database.password(),
                "--postroom.destinations.rabbit.uri=" + RabbitMqBroker.shared().uri(),
                "--postroom.destinations.rabbit.exchange=" + exchange,
                "--shop.pause=1ms"));
        arguments.addAll(List.of(more));
        return SpringApplication.run(ShopApplication.class, arguments.toArray(String[]::new));
    }

    private static Set<String> orders(JdbcTemplate jdbc) {
        return new HashSet<>(jdbc.queryForList("select id::text from orders", String.class));
    }
}
