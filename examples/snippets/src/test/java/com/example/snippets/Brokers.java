package com.example.snippets;

import dev.postroom.http.Webhook;
import dev.postroom.inbox.Inbox;
import dev.postroom.kafka.Kafka;
import dev.postroom.kafka.KafkaInbox;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.rabbitmq.RabbitMqInbox;
import dev.postroom.relay.Relay;

/** Compiled, not run: the addresses in the documents may be somebody's. The transports' own tests run with real brokers. */
class Brokers extends SnippetShop {
    Relay rabbitMq() {
        // in docs/rabbitmq.md
        Relay relay = Relay.on(dataSource)
                .deliverTo(RabbitMq.at("amqp://user:password@localhost")) // module postroom-rabbitmq
                .start();
        // until here
        return relay;
    }

    Relay kafka() {
        // in docs/kafka.md
        Relay relay = Relay.on(dataSource)
                .deliverTo(Kafka.at("localhost:9092")) // module postroom-kafka
                .start();
        // until here
        return relay;
    }

    Relay http() {
        // in docs/http.md
        Relay relay = Relay.on(dataSource)
                .deliverTo(Webhook.to("https://example.com/hooks").secret("whsec_…")) // module postroom-http
                .start();
        // until here
        return relay;
    }

    RabbitMqInbox rabbitMqInbox() {
        // in docs/inbox.md
        RabbitMqInbox billing = RabbitMqInbox.at(
                        "amqp://user:password@localhost", "billing") // module postroom-rabbitmq
                .bind("postroom", "orders.#")
                .start(Inbox.on(dataSource), (message, tx) -> bill(tx.connection(), message.payload()));
        // until here
        return billing;
    }

    void kafkaInbox() {
        // and in docs/inbox.md
        KafkaInbox billing = KafkaInbox.at("localhost:9092", "billing") // module postroom-kafka
                .topics("orders.created")
                .start(Inbox.on(dataSource), (message, tx) -> bill(tx.connection(), message.payload()));

        billing.close(); // lets handlers finish, gives the rest back
        // until here
    }
}
