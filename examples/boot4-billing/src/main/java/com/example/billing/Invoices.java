package com.example.billing;

import dev.postroom.inbox.InboxTransaction;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.json3.Jackson3Codec;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

@Component
class Invoices {
    /** What billing needs to know of an order. It shares no class with the shop. */
    record Order(UUID id, long cents) {}

    private static final Logger LOG = LoggerFactory.getLogger(Invoices.class);

    private final Jackson3Codec json = new Jackson3Codec();

    /** Written with the connection of the transaction that also records that the message was handled. */
    void write(ReceivedMessage message, InboxTransaction tx) throws SQLException {
        Order order = json.decode(message.payload(), Order.class);
        try (PreparedStatement insert =
                tx.connection().prepareStatement("insert into invoices (order_id, cents) values (?, ?)")) {
            insert.setObject(1, order.id());
            insert.setLong(2, order.cents());
            insert.executeUpdate();
        }
        LOG.info("invoiced {}", order.id());
    }
}
