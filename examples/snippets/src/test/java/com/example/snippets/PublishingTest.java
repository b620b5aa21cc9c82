package com.example.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.MessageType;
import dev.postroom.TypeNames;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import dev.postroom.outbox.Staging;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishingTest extends SnippetShop {
    private final Message first = Message.to("a").text("text/plain", "1");
    private final Message second = Message.to("a").text("text/plain", "2");
    private final Message third = Message.to("a").text("text/plain", "3");

    @Test
    void publishes_one_and_several() throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            publish(connection);
            connection.commit();
        }
        assertThat(select("select topic from postroom_message order by seq"))
                .containsExactly("orders.created", "a", "a", "a");
    }

    private void publish(Connection connection) {
        // in docs/publishing.md
        Outbox outbox = Outbox.on(dataSource); // one per application; thread-safe

        outbox.publish(connection, Message.to("orders.created").key("42").json(order));
        outbox.publishAll(connection, List.of(first, second, third)); // one round trip
        // until here
    }

    @Test
    void message_has_all_of_this() throws Exception {
        Message message =
                // in docs/publishing.md
                Message.to("orders.created") // topic: what routes it
                        .key("42") // order is kept among messages of the same tenant and key
                        .type("order.created") // logical event name, see below; never a class name
                        .tenant("acme")
                        .json(order) // or .bytes(contentType, bytes), .text(contentType, text)
                        .header("correlation", "7f3a")
                        .deliverAfter(Duration.ofMinutes(5)) // or .deliverAt(instant); counted on the database's clock
                        .idempotencyKey("order-42-created")
                        .source("/shop");
        // until here
        Outbox.on(dataSource).publishInOwnTransaction(message);
        assertThat(select("select tenant || ' ' || type || ' ' || source from postroom_message"))
                .containsExactly("acme order.created /shop");
    }

    @Test
    void staged_messages_are_written_together() throws Exception {
        Outbox outbox = Outbox.on(dataSource);
        outbox.inTransaction(tx -> stage(outbox, tx.connection()));
        assertThat(select("select topic from postroom_message")).hasSize(3);
    }

    private void stage(Outbox outbox, Connection connection) {
        // in docs/publishing.md
        Staging staging = outbox.stage();
        staging.add(first).add(second).add(third);
        staging.flush(connection); // one round trip
        // until here
    }

    @Test
    void several_outboxes_have_their_own_tables() throws Exception {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema billing");
        }
        Store.open(dataSource, new TableNames("billing", "postroom_")).schema().migrate();
        Store.open(dataSource, new TableNames(null, "audit_")).schema().migrate();
        // in docs/publishing.md
        Outbox billing = Outbox.configure(dataSource).schema("billing").build();
        Outbox audit = Outbox.configure(dataSource).tablePrefix("audit_").build();
        // until here
        billing.publishInOwnTransaction(first);
        audit.publishInOwnTransaction(second);
        assertThat(select("select topic from audit_message")).hasSize(1);
        assertThat(select("select topic from postroom_message")).isEmpty();
    }

    record Invoice(String id) {}

    private static void ship(Object order) {
        assertThat(order).isNotNull();
    }

    @Test
    void types_have_names_of_their_own() throws Exception {
        // in docs/publishing.md
        @MessageType("order.created")
        record OrderCreated(String id, int total) {}

        TypeNames types =
                TypeNames.annotated().register(Invoice.class, "invoice.sent"); // for classes you cannot annotate
        Outbox outbox = Outbox.configure(dataSource).types(types).build();
        Handlers handlers = Handlers.create().types(types).on(OrderCreated.class, (order, delivery) -> ship(order));
        // until here
        outbox.publishInOwnTransaction(Message.to("orders").json(new OrderCreated("42", 7)));
        outbox.publishInOwnTransaction(Message.to("invoices").json(new Invoice("42")));
        assertThat(select("select type from postroom_message order by seq"))
                .containsExactly("order.created", "invoice.sent");
        handlers.close();
    }
}
