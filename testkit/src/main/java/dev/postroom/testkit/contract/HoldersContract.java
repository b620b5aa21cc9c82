package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.Stream;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.MessageReader.Holder;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.RowState;
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
    private static final Stream STREAM = new Stream("", "orders", "k");

    @Test
    void a_row_behind_a_waiting_one_is_held() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.fail(two.get(0), Duration.ofHours(1));

        assertThat(held()).containsExactly(true);
        assertThat(holders()).singleElement().satisfies(holder -> {
            assertThat(holder.key()).isEqualTo(two.get(0).key());
            assertThat(holder.state()).isEqualTo(RowState.WAITING);
            assertThat(holder.completed()).isZero();
            assertThat(holder.due()).isNotNull();
        });
    }

    @Test
    void a_row_behind_a_dead_one_is_held() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.bury(two.get(0));

        assertThat(held()).containsExactly(true);
        assertThat(holders())
                .extracting(Holder::key, Holder::state)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(two.get(0).key(), RowState.DEAD));
    }

    @Test
    void a_row_before_the_failed_one_is_not_held() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.fail(two.get(1), Duration.ofHours(1));
        assertThat(held()).containsExactly(false);
        assertThat(holders()).hasSize(1);
    }

    @Test
    void the_failed_row_itself_is_not_held_by_itself() {
        TestRelay relay = relay("r");
        relay.fail(inStream(1).get(0), Duration.ZERO);
        assertThat(new DueReader(store).readAll())
                .singleElement()
                .satisfies(row -> assertThat(row.hold().held()).isFalse());
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
        assertThat(holders()).isEmpty();
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
        assertThat(holders()).isEmpty();
    }

    @Test
    void a_hold_ends_when_its_holder_leaves() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.fail(two.get(0), Duration.ZERO);
        relay.succeed(new DueReader(store).readAll().get(0));
        assertThat(held()).containsExactly(false);
        assertThat(holders()).isEmpty();
    }

    @Test
    @Tag("R29")
    void a_holder_says_which_destinations_have_it_already() {
        TestRelay relay = relay("r");
        List<StoredMessage> two = inStream(2);
        relay.settle(List.of(TestRelay.success(two.get(0), 4, 7)), List.of(), true);
        relay.fail(two.get(0), Duration.ofHours(1));
        assertThat(holders()).extracting(Holder::completed).containsExactly(4L);
    }

    @Test
    @Tag("I9")
    void holders_come_by_seq_up_to_the_limit() {
        TestRelay relay = relay("r");
        List<StoredMessage> rows = inStream(8);
        for (int i = 6; i >= 0; i--) {
            if (i % 2 == 0) {
                relay.bury(rows.get(i));
            } else {
                relay.fail(rows.get(i), Duration.ofHours(1));
            }
        }
        assertThat(reader().port().holders(STREAM, 3))
                .extracting(Holder::key)
                .containsExactly(
                        rows.get(0).key(), rows.get(1).key(), rows.get(2).key());
        assertThat(reader().port().holders(STREAM, 100)).hasSize(7);
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
        assertThat(reader().readAll())
                .hasSize(408)
                .allSatisfy(row -> assertThat(row.hold().held())
                        .as(row.stream().toString())
                        .isFalse());
        for (Stream stream : List.of(
                new Stream("", "orders", "K"),
                new Stream("", "orders", "k "),
                new Stream("", "Orders", "k"),
                new Stream("t", "orders", "k"),
                new Stream(" ", "orders", "k"))) {
            assertThat(reader().port().holders(stream, 10))
                    .as(stream.toString())
                    .isEmpty();
        }
        assertThat(holders()).hasSize(1);
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
        assertThat(rows).hasSize(3).allSatisfy(row -> {
            assertThat(row.hold().held()).as("%s", row.stream()).isFalse();
            assertThat(reader().port().holders(row.stream(), 10)).isEmpty();
            assertThat(operator().find(row.key().id()).orElseThrow().item().status())
                    .isEqualTo(MessageStatus.PENDING);
        });
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
        assertThat(two).noneMatch(row -> row.hold().held());
        relay.fail(two.get(0), Duration.ofHours(1));
        assertThat(reader().port().fetch(List.of(two.get(1).key()), NO_LIMIT))
                .singleElement()
                .satisfies(row -> assertThat(row.hold().held()).isTrue());
        assertThat(reader().port()
                        .fetchReady(
                                two.get(1).key().lane(),
                                List.of(two.get(1).key().seq()),
                                NO_LIMIT))
                .singleElement()
                .satisfies(row -> assertThat(row.hold().held()).isTrue());
        assertThat(holders()).extracting(Holder::key).containsExactly(two.get(0).key());
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
        return reader().readAll().stream().map(row -> row.hold().held()).toList();
    }

    private List<Holder> holders() {
        return reader().port().holders(STREAM, 100);
    }
}
