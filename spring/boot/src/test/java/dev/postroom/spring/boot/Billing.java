package dev.postroom.spring.boot;

import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.InboxTransaction;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.rabbitmq.RabbitMqInbox;
import org.springframework.context.annotation.Bean;

/** Compiled, not run: whose broker might that be? The example boot4-billing runs the same with one of its own. */
class Billing {
    interface Invoices {
        void write(ReceivedMessage message, InboxTransaction tx);
    }

    // in docs/spring.md
    @Bean
    RabbitMqInbox orders(Inbox inbox, Invoices invoices) { // module postroom-rabbitmq
        return RabbitMqInbox.at("amqp://user:password@localhost", "billing")
                .bind("postroom", "orders.placed")
                .start(inbox, invoices::write);
    }
    // until here
}
