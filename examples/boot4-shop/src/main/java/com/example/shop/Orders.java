package com.example.shop;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {
    private final JdbcTemplate jdbc;
    private final Outbox outbox;
    private final Payments payments;

    Orders(JdbcTemplate jdbc, Outbox outbox, Payments payments) {
        this.jdbc = jdbc;
        this.outbox = outbox;
        this.payments = payments;
    }

    /** The order and the message that tells of it: both or, when the payment is refused, neither. */
    @Transactional
    public void place(Order order) {
        jdbc.update(
                "insert into orders (id, customer, cents) values (?, ?, ?)",
                order.id(),
                order.customer(),
                order.cents());
        outbox.publish(Message.to("orders.placed").key(order.customer()).json(order));
        payments.take(order);
    }
}
