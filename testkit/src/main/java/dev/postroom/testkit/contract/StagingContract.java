package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.NoTransactionException;
import dev.postroom.Published;
import dev.postroom.outbox.Staging;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages staged and written together: nothing is written twice, nothing is lost. */
@Tag("R3")
public abstract class StagingContract extends StoreContract {

    @Test
    void what_cannot_be_encoded_and_what_follows_stays_staged_and_a_retry_goes_on() {
        Message bad = Message.to("orders").key("k").header("broken", "\n");
        List<Message> five = List.of(message(1), message(2), bad, message(4), message(5));
        Staging staging = store.outbox().stage();
        five.forEach(staging::add);

        Tx tx = begin();
        assertThatThrownBy(() -> staging.flush(tx.connection())).isInstanceOf(MessageRejectedException.class);
        assertThat(staging.messages()).containsExactlyElementsOf(five.subList(2, 5));
        assertThatThrownBy(() -> staging.flush(tx.connection())).isInstanceOf(MessageRejectedException.class);
        assertThat(staging.size()).isEqualTo(3);

        Staging corrected = store.outbox().stage();
        staging.messages().stream()
                .map(message -> message.equals(bad) ? bad.headers(java.util.Map.of()) : message)
                .forEach(corrected::add);
        List<Published> rest = corrected.flush(tx.connection());
        tx.commit();

        assertThat(rest).hasSize(3);
        assertThat(corrected.size()).isZero();
        assertThat(ids(reader().readAll()))
                .containsExactlyElementsOf(five.stream().map(Message::id).toList());
    }

    @Test
    void a_write_that_fails_keeps_everything() throws Exception {
        Staging staging = store.outbox().stage().add(message(1)).add(message(2));
        try (Connection closed = store.dataSource().getConnection()) {
            closed.close();
            assertThatThrownBy(() -> staging.flush(closed)).isInstanceOf(DatabaseException.class);
        }
        try (Connection autoCommit = store.dataSource().getConnection()) {
            assertThatThrownBy(() -> staging.flush(autoCommit)).isInstanceOf(NoTransactionException.class);
        }
        assertThat(staging.size()).isEqualTo(2);

        Tx tx = begin();
        staging.flush(tx.connection());
        tx.commit();
        assertThat(reader().readAll()).hasSize(2);
    }

    @Test
    void an_empty_stage_writes_nothing() {
        assertThat(store.outbox().stage().flush(begin().connection())).isEmpty();
    }

    private static Message message(int n) {
        return Message.to("orders").key("k").header("n", Integer.toString(n));
    }
}
