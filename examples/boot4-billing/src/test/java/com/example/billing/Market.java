package com.example.billing;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;

/** Where shop and billing meet: a database each, and an exchange and a queue between them, of one test's own. */
final class Market implements AutoCloseable {
    private final RabbitMqBroker broker;
    private final TestDatabase shop = Postgres.newest().freshDatabase();
    private final TestDatabase billing = Postgres.newest().freshDatabase();
    private final String exchange = "shop-" + UUID.randomUUID();
    private final String queue = "billing-" + UUID.randomUUID();
    private final Connection connection;
    private final Channel channel;

    Market(RabbitMqBroker broker) throws Exception {
        this.broker = broker;
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        connection = factory.newConnection("test");
        channel = connection.createChannel();
        channel.confirmSelect();
        channel.exchangeDeclare(exchange, "topic", true);
        channel.queueDeclare(queue, true, false, false, null);
        channel.queueBind(queue, exchange, "orders.placed");
    }

    TestDatabase shopDatabase() {
        return shop;
    }

    TestDatabase billingDatabase() {
        return billing;
    }

    String brokerUri() {
        return broker.uri();
    }

    String exchange() {
        return exchange;
    }

    String queue() {
        return queue;
    }

    Channel channel() {
        return channel;
    }

    /** Arguments for an application on this database. */
    List<String> settings(TestDatabase database, String... more) {
        return Stream.concat(
                        Stream.of(
                                "--spring.datasource.url=" + database.url(),
                                "--spring.datasource.username=" + database.username(),
                                "--spring.datasource.password=" + database.password(),
                                "--spring.datasource.hikari.maximum-pool-size=8"),
                        Stream.of(more))
                .toList();
    }

    List<String> orders() {
        return new JdbcTemplate(shop.dataSource()).queryForList("select id::text from orders", String.class);
    }

    List<String> invoices() {
        return new JdbcTemplate(billing.dataSource()).queryForList("select order_id::text from invoices", String.class);
    }

    /** What the shop's relay has not delivered, dead letters too. */
    int undelivered() {
        return new JdbcTemplate(shop.dataSource())
                .queryForList("select id from postroom_message")
                .size();
    }

    long queued() throws IOException {
        return channel.messageCount(queue);
    }

    long deadLetters() throws IOException {
        return channel.queueDeclare(queue + ".dead", true, false, false, null).getMessageCount();
    }

    @Override
    public void close() throws Exception {
        channel.queueDelete(queue);
        channel.queueDelete(queue + ".dead");
        channel.exchangeDelete(exchange);
        connection.close();
    }
}
