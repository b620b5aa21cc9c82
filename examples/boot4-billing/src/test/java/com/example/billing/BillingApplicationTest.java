package com.example.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postroom.testbed.RabbitMqBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

@Tag("R40")
@Tag("R41")
class BillingApplicationTest {
    @Test
    void an_order_that_is_told_of_twice_has_one_invoice() throws Exception {
        try (Market market = new Market(RabbitMqBroker.shared())) {
            List<String> settings = market.settings(
                    market.billingDatabase(),
                    "--billing.rabbitmq=" + market.brokerUri(),
                    "--billing.exchange=" + market.exchange(),
                    "--billing.queue=" + market.queue());
            UUID order = UUID.randomUUID();
            UUID other = UUID.randomUUID();
            try (ConfigurableApplicationContext context =
                    SpringApplication.run(BillingApplication.class, settings.toArray(String[]::new))) {
                assertThat(context.isRunning()).isTrue();
                tell(market, "message-1", order);
                tell(market, "message-1", order);
                tell(market, "message-2", other);
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> market.invoices().size() >= 2 && market.queued() == 0);
            }
            assertThat(market.queued()).isZero();
            assertThat(market.invoices()).containsExactlyInAnyOrder(order.toString(), other.toString());
        }
    }

    private static void tell(Market market, String messageId, UUID order) throws Exception {
        byte[] body = "{\"id\":\"%s\",\"customer\":\"alice\",\"cents\":1999}"
                .formatted(order)
                .getBytes(StandardCharsets.UTF_8);
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(messageId)
                .contentType("application/json")
                .deliveryMode(2)
                .build();
        market.channel().basicPublish(market.exchange(), "orders.placed", properties, body);
        market.channel().waitForConfirmsOrDie(10_000);
    }
}
