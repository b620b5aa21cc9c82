package com.example.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import com.example.snippets.SnippetShop;
import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2")
class JooqTest extends SnippetShop {
    private final Outbox outbox = Outbox.on(dataSource);
    private final DSLContext jooq = DSL.using(dataSource, SQLDialect.H2);

    @Test
    @Tag("R1")
    void message_is_written_in_jooqs_transaction() throws Exception {
        place();
        assertThat(select("select id from orders")).containsExactly("42");
        assertThat(select("select topic from postroom_message")).containsExactly("orders.created");
    }

    private void place() {
        // in docs/recipes.md
        jooq.transaction(tx -> {
            tx.dsl()
                    .insertInto(table("orders"), field("id"), field("cents"))
                    .values(order.id(), order.cents())
                    .execute();
            tx.dsl()
                    .connection(connection -> outbox.publish(
                            connection,
                            Message.to("orders.created").key(order.id()).json(order)));
        });
        // until here
    }

    @Test
    void rollback_of_jooqs_transaction_writes_neither() throws Exception {
        assertThatThrownBy(() -> jooq.transaction(tx -> {
                    place(tx.dsl());
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        assertThat(select("select topic from postroom_message")).isEmpty();
    }

    @Test
    void nested_transaction_that_is_rolled_back_takes_its_message_along() throws Exception {
        jooq.transaction(outer -> {
            place(outer.dsl());
            assertThatThrownBy(() -> outer.dsl().transaction(inner -> {
                        place(inner.dsl());
                        throw new IllegalStateException("failed");
                    }))
                    .hasMessage("failed");
        });
        assertThat(select("select topic from postroom_message")).hasSize(1);
    }

    private void place(DSLContext transaction) {
        transaction.connection(connection -> outbox.publish(connection, Message.to("orders.created")));
    }
}
