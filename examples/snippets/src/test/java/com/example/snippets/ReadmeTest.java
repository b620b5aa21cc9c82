package com.example.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.Message;
import dev.postroom.handler.Handlers;
import dev.postroom.inbox.Inbox;
import dev.postroom.outbox.Outbox;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Relay;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadmeTest extends SnippetShop {
    @Test
    void publishes_in_your_transaction_and_in_ours_delivers_and_handles_once() throws Exception {
        publish();
        assertThat(select("select id from orders")).containsExactly("42", "42");
        deliver();
        consume();
        consume();
        assertThat(select("select order_id from bills")).containsExactly("42");
    }

    private void publish() throws Exception {
        // in README.md
        Outbox outbox = Outbox.on(dataSource); // finds out which database this is, checks the schema

        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            saveOrder(connection, order); // your data
            outbox.publish(
                    connection, // in your own transaction
                    Message.to("orders.created").key(order.id()).json(order).idempotencyKey("order-" + order.id()));
            connection.commit();
        }

        outbox.inTransaction(
                tx -> { // or in ours
                    saveOrder(tx.connection(), order);
                    tx.publish(Message.to("orders.created").key(order.id()).json(order));
                });
        // until here
    }

    private void deliver() {
        // in README.md
        Handlers handlers = Handlers.create().on("orders.created", Order.class, (order, delivery) -> ship(order));
        Relay relay = Relay.on(dataSource).deliverTo(handlers).start(); // close() when done
        // until here
        try (relay) {
            await().atMost(Duration.ofSeconds(30)).until(() -> done.size() == 2);
        }
        assertThat(done).containsOnly("shipped 42");
    }

    /** Compiled only: whose broker might that be? */
    Relay deliverToBroker() {
        // and in README.md
        Relay relay =
                Relay.on(dataSource).deliverTo(RabbitMq.at("amqp://localhost")).start(); // or Kafka.at, Webhook.to
        // until here
        return relay;
    }

    private void consume() throws Exception {
        // in README.md
        Inbox inbox = Inbox.on(dataSource);
        inbox.handleOnce(
                "billing", messageId, tx -> bill(tx.connection(), order)); // the work and its record commit together
        // until here
    }
}
