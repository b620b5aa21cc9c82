package com.example.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.snippets.SnippetShop;
import dev.postroom.Message;
import dev.postroom.NoTransactionException;
import dev.postroom.outbox.Outbox;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2")
class JdbiTest extends SnippetShop {
    private final Outbox outbox = Outbox.on(dataSource);
    private final Jdbi jdbi = Jdbi.create(dataSource);

    @Test
    @Tag("R1")
    void message_is_written_in_the_handles_transaction() throws Exception {
        // in docs/recipes.md
        jdbi.useTransaction(handle -> {
            handle.execute("insert into orders (id, cents) values (?, ?)", order.id(), order.cents());
            outbox.publish(
                    handle.getConnection(),
                    Message.to("orders.created").key(order.id()).json(order));
        });
        // until here
        assertThat(select("select id from orders")).containsExactly("42");
        assertThat(select("select topic from postroom_message")).containsExactly("orders.created");
    }

    @Test
    void rollback_writes_neither() throws Exception {
        assertThatThrownBy(() -> jdbi.useTransaction(handle -> {
                    outbox.publish(handle.getConnection(), Message.to("orders.created"));
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        assertThat(select("select topic from postroom_message")).isEmpty();
    }

    @Test
    @Tag("R4")
    void handle_without_a_transaction_is_refused() {
        assertThatThrownBy(() ->
                        jdbi.useHandle(handle -> outbox.publish(handle.getConnection(), Message.to("orders.created"))))
                .isInstanceOf(NoTransactionException.class);
    }
}
