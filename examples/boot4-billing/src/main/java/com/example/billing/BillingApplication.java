package com.example.billing;

import dev.postroom.inbox.Inbox;
import dev.postroom.rabbitmq.RabbitMqInbox;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Writes an invoice for each order that the shop tells of, exactly one, however often it is told. */
@SpringBootApplication
public class BillingApplication {
    public static void main(String[] args) {
        SpringApplication.run(BillingApplication.class, args);
    }

    /** Spring closes it at the end: handlers finish, and what was not handled goes back to the queue. */
    @Bean
    RabbitMqInbox orders(
            Inbox inbox,
            Invoices invoices,
            @Value("${billing.rabbitmq}") String uri,
            @Value("${billing.queue}") String queue,
            @Value("${billing.exchange}") String exchange) {
        return RabbitMqInbox.at(uri, queue).bind(exchange, "orders.placed").start(inbox, invoices::write);
    }
}
