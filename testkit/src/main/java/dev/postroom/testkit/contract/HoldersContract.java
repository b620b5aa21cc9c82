package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.Stream;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which earlier rows hold a stream: failed and waiting ones, and dead ones under the policy BLOCK. */
@Tag("R28")
@Tag("I3")
public abstract class HoldersContract extends StoreContract {
    @Test
    void a_row_behind_a_waiting_one_is_held() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.fail(two.get(0), Duration.ofHours(1));

        assertThat(held()).containsExactly(true);
        assertThat(isStreamHeld()).isTrue();
    }

    @Test
    void a_row_behind_a_dead_one_is_held() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.bury(two.get(0));

        assertThat(held()).containsExactly(true);
        assertThat(isStreamHeld()).isTrue();
    }

    @Test
    void a_row_before_the_failed_one_is_not_held() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.fail(two.get(1), Duration.ofHours(1));
        assertThat(held()).containsExactly(false);
        assertThat(isStreamHeld()).isTrue();
    }

    @Test
    void the_failed_row_itself_is_not_held_by_itself() {
        TestRelay relay = relay("r");
        relay.fail(inStream(1).get(0), Duration.ZERO);
        assertThat(new DueReader(store).readAll())
                .singleElement()
                .satisfies(row -> assertThat(reader().isHeld(row)).isFalse());
    }

    @Test
    void under_skip_a_dead_letter_holds_nobody() {
        TestRelay relay = relay("r");
        List<StoredMessage> three = inStream(3);
        Cause cause = new Cause(FailureReason.VALIDATION_FAILURE, "no", null);
        relay.settle(
                List.of(),
                List.of(
                        relay.failure(three.get(0), null, false, cause),
                        relay.failure(three.get(1), Duration.ofHours(1), false, cause)),
                true);
        assertThat(held()).containsExactly(false);
        assertThat(isStreamHeld()).isFalse();
    }

    @Test
    void a_row_that_failed_under_skip_and_then_under_block_holds() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.settle(
                List.of(),
                List.of(relay.failure(two.get(0), Duration.ZERO, false, new Cause(FailureReason.UNKNOWN, "no", null))),
                true);
        assertThat(held()).containsExactly(false);
        relay.fail(new DueReader(store).readAll().get(0), Duration.ofHours(1));
        assertThat(held()).containsExactly(true);
    }

    @Test
    void a_released_row_holds_nobody() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.bury(two.get(0));
        execute(
                "UPDATE postroom_message SET released = true WHERE seq = ?",
                two.get(0).key().seq());
        assertThat(held()).containsExactly(false);
        assertThat(isStreamHeld()).isFalse();
    }

    @Test
    void a_hold_ends_when_its_holder_leaves() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.fail(two.get(0), Duration.ZERO);
        relay.succeed(new DueReader(store).readAll().get(0));
        assertThat(held()).containsExactly(false);
        assertThat(isStreamHeld()).isFalse();
    }

    @Test
    void streams_are_not_confused_also_in_the_same_lane() {
        TestRelay relay = relay("r");
        Published failing = publish(Message.to("orders").key("k"));
        relay.bury(read(failing));
        Message[] others = IntStream.range(0, 400)
                .mapToObj(i -> Message.to("orders").key("other " + i))
                .toArray(Message[]::new);
        List<Published> published = publish(others);
        publish(
                Message.to("orders").key("K"),
                Message.to("orders").key("k "),
                Message.to("orders").key(""),
                Message.to("orders"),
                Message.to("Orders").key("k"),
                Message.to("orders ").key("k"),
                Message.to("orders").key("k").tenant("t"),
                Message.to("orders").key("k").tenant(" "));

        assertThat(published).anyMatch(row -> row.lane() == failing.lane());
        List<StoredMessage> rows = reader().readAll();
        assertThat(rows).hasSize(408);
        assertThat(heldOf(rows))
                .as("the topic does not tell streams apart")
                .extracting(row -> row.message().stream())
                .containsExactlyInAnyOrder(new Stream("", "Orders", "k"), new Stream("", "orders ", "k"));
        assertThat(isStreamHeld()).isTrue();
    }

    /** Where streams are found by a hash of their parts, these have the same. */
    @Test
    @Tag("R22")
    void streams_that_read_the_same_when_joined_do_not_hold_each_other() {
        TestRelay relay = relay("r");
        List<Message> holders = List.of(
                Message.to("a:b").key("c"),
                Message.to("t").tenant("t").key("t:t"),
                Message.to("b:c").tenant("a").key("d"));
        List<Message> others = List.of(
                Message.to("a").key("b:c"),
                Message.to("t").tenant("t:t").key("t"),
                Message.to("c").tenant("a:b").key("d"));
        publish(holders.toArray(Message[]::new));
        reader().readAll().forEach(relay::bury);
        publish(others.toArray(Message[]::new));
        List<StoredMessage> rows = reader().readAll();
        assertThat(heldOf(rows)).isEmpty();
        assertThat(rows)
                .hasSize(3)
                .allSatisfy(row -> assertThat(operator()
                                .find(row.key().id())
                                .orElseThrow()
                                .item()
                                .status())
                        .isEqualTo(MessageStatus.PENDING));
        assertThat(operator().list(MessageFilter.ALL, 0, 10).items())
                .filteredOn(item -> item.status() == MessageStatus.BLOCKED)
                .isEmpty();
    }

    @Test
    void a_message_without_a_key_holds_nobody_and_is_held_by_nobody() {
        TestRelay relay = relay("r");
        publish(Message.to("orders"));
        relay.bury(reader().readAll().get(0));
        publish(Message.to("orders"));
        assertThat(held()).containsExactly(false);
    }

    @Test
    @Tag("R33")
    void a_holder_that_failed_after_its_followers_were_read_is_found() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        assertThat(heldOf(two)).isEmpty();
        relay.fail(two.get(0), Duration.ofHours(1));
        assertThat(heldOf(two))
                .extracting(FollowedMessage::key)
                .containsExactly(two.get(1).key());
    }

    private List<StoredMessage> inStream(int messages) {
        publish(IntStream.range(0, messages)
                .mapToObj(i -> Message.to("orders").key("k"))
                .toArray(Message[]::new));
        List<StoredMessage> rows = reader().readAll();
        assertThat(rows).hasSize(messages);
        return rows;
    }

    /** Of each row that is read forward, whether it is held. */
    private List<Boolean> held() {
        ReferenceReader reader = reader();
        return reader.readAll().stream().map(reader::isHeld).toList();
    }

    /** Those of these rows that are held now. */
    private List<FollowedMessage> heldOf(List<StoredMessage> rows) {
        return store
                .plainReader()
                .fetch(rows.stream().map(StoredMessage::key).toList(), ReferenceReader.BOUNDS)
                .stream()
                .filter(row -> row.heldAt() != 0)
                .toList();
    }

    /** Whether anything holds the stream of the key k. */
    private boolean isStreamHeld() {
        String id = value("SELECT MIN(stream) FROM postroom_message WHERE tenant = '' AND ordering_key = 'k'");
        return id != null
                && !store.plainReader().holders(List.of(Long.valueOf(id))).isEmpty();
    }
}
