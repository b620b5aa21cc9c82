package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.StoredMessage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sequence that went backwards (a restore, a failover that lost its end) hides nothing. */
@Tag("R33")
@Tag("I1")
public abstract class RewoundSequenceContract extends StoreContract {

    @Test
    void messages_with_numbers_below_the_positions_are_read() {
        ReferenceReader reader = reader();
        settleAll(reader, 50);
        execute(store.kind().rewind());
        Published again = publish(Message.to("orders").key("k"));
        assertThat(again.seq()).isEqualTo(1);

        assertThat(ids(reader.readUntil(rows -> !rows.isEmpty()))).containsExactly(again.id());
        List<Published> more = publish(messages(70));
        assertThat(ids(reader.readExactly(70))).containsExactly(idsOf(more));
    }

    @Test
    @Tag("I7")
    void a_settle_from_before_does_not_touch_the_new_message_with_that_number() {
        ReferenceReader reader = reader();
        TestRelay relay = relay("r");
        publish(Message.to("orders").key("k"));
        StoredMessage old = reader.readExactly(1).get(0);
        relay.succeed(old);
        execute(store.kind().rewind());
        for (int i = 1; i < old.key().seq(); i++) {
            publish(Message.to("orders").key("k"));
        }
        Published same = publish(Message.to("orders").key("k"));
        assertThat(same.seq()).isEqualTo(old.key().seq());
        assertThat(same.lane()).isEqualTo(old.key().lane());

        relay.succeed(old);
        relay.bury(old);
        assertThat(ids(reader().readAll())).contains(same.id());
        assertThat(read(same).progress().attempts()).isZero();
    }

    private void settleAll(ReferenceReader reader, int messages) {
        TestRelay relay = relay("r");
        publish(messages(messages));
        List<StoredMessage> rows = reader.readExactly(messages);
        relay.succeed(rows.toArray(StoredMessage[]::new));
        reader.forget(rows);
        assertThat(count("postroom_message")).isZero();
    }

    private static Message[] messages(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Message.to("orders").key("k"))
                .toArray(Message[]::new);
    }
}
