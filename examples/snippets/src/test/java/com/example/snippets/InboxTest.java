package com.example.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

class InboxTest extends SnippetShop {
    @Test
    void handles_once_and_acknowledges_twice() throws Exception {
        assertThat(handle()).isEqualTo(Handling.HANDLED);
        assertThat(handle()).isEqualTo(Handling.DUPLICATE);
        assertThat(select("select order_id from bills")).containsExactly("42");
        assertThat(done).hasSize(2);
    }

    private Handling handle() throws Exception {
        // in docs/inbox.md
        Inbox inbox = Inbox.on(dataSource); // module postroom-jdbc; one per application, thread-safe

        Handling handling = inbox.handleOnce("billing", messageId, tx -> bill(tx.connection(), order));
        acknowledge(); // HANDLED or DUPLICATE: either way it is done
        // until here
        return handling;
    }

    @Test
    void takes_in_a_transaction_of_your_own() throws Exception {
        Inbox inbox = Inbox.on(dataSource);
        for (int delivered = 1; delivered <= 2; delivered++) {
            try (Connection connection = dataSource.getConnection()) {
                take(inbox, connection);
            }
        }
        assertThat(select("select order_id from bills")).containsExactly("42");
    }

    private void take(Inbox inbox, Connection connection) throws Exception {
        // in docs/inbox.md
        connection.setAutoCommit(false);
        if (inbox.take(connection, "billing", messageId)) { // first, before any other work
            bill(connection, order);
        }
        connection.commit();
        // until here
    }
}
