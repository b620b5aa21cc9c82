package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Delayed and waiting rows come when they are due, by the database's clock. */
@Tag("R7")
@Tag("R31")
public abstract class DueContract extends StoreContract {
    private static final Instant PAST = Instant.parse("2020-02-29T12:00:00.000001Z");

    @Test
    void a_delayed_message_comes_when_it_is_due_and_not_before() {
        Published published = publish(Message.to("orders").deliverAfter(Duration.ofHours(1)));
        DueReader due = new DueReader(store);
        assertThat(due.read()).isEmpty();
        assertThat(reader().readAll()).isEmpty();

        execute("UPDATE postroom_message SET available_at = available_at - interval '61' minute");
        assertThat(due.read()).singleElement().satisfies(row -> {
            assertThat(row.key().id()).isEqualTo(published.id());
            assertThat(row.progress().state()).isEqualTo(RowState.DELAYED);
            assertThat(row.due()).isNotNull();
        });
        assertThat(reader().readAll()).isEmpty();
    }

    @Test
    void a_delay_counts_from_when_the_row_was_written() {
        publish(Message.to("orders").deliverAfter(Duration.ofDays(400)));
        execute("UPDATE postroom_message SET available_at = available_at - interval '400' day");
        StoredMessage row = new DueReader(store).readAll().get(0);
        assertThat(Duration.between(row.createdAt(), row.due()).abs()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void an_instant_in_the_past_is_due_at_once_and_kept_to_the_microsecond() {
        publish(Message.to("orders").deliverAt(PAST));
        assertThat(new DueReader(store).readAll())
                .singleElement()
                .satisfies(row -> assertThat(row.due()).isEqualTo(PAST));
    }

    @Test
    void a_failed_message_waits_until_its_retry_is_due() {
        TestRelay relay = relay("r");
        publish(Message.to("orders"));
        StoredMessage row = reader().readAll().get(0);
        relay.fail(row, Duration.ofMinutes(10));
        DueReader due = new DueReader(store);
        assertThat(due.readAll()).isEmpty();

        execute("UPDATE postroom_message SET retry_at = retry_at - interval '11' minute");
        assertThat(due.readAll()).singleElement().satisfies(waiting -> {
            assertThat(waiting.progress().state()).isEqualTo(RowState.WAITING);
            assertThat(waiting.progress().attempts()).isEqualTo(1);
            assertThat(waiting.key()).isEqualTo(row.key());
        });
    }

    @Test
    void a_retry_takes_the_place_of_the_delivery_time() {
        TestRelay relay = relay("r");
        publish(Message.to("orders").deliverAt(PAST));
        StoredMessage row = new DueReader(store).readAll().get(0);
        relay.fail(row, Duration.ofMinutes(10));
        assertThat(new DueReader(store).readAll()).isEmpty();
        relay.bury(refetch(row));
        execute("UPDATE postroom_message SET retry_at = NULL");
        assertThat(new DueReader(store).readAll()).isEmpty();
    }

    @Test
    void rows_come_in_order_of_due_time_then_seq() {
        Message[] messages = IntStream.range(0, 30)
                .mapToObj(i -> Message.to("orders").key("k").deliverAt(PAST.plusMillis(i * 7 % 10)))
                .toArray(Message[]::new);
        publish(messages);
        List<StoredMessage> rows = new DueReader(store).readAll();
        assertThat(rows).hasSize(30);
        for (int i = 1; i < rows.size(); i++) {
            Instant before = Objects.requireNonNull(rows.get(i - 1).due());
            Instant after = Objects.requireNonNull(rows.get(i).due());
            assertThat(before).isBeforeOrEqualTo(after);
            if (before.equals(after)) {
                assertThat(rows.get(i - 1).key().seq())
                        .isLessThan(rows.get(i).key().seq());
            }
        }
    }

    @Test
    @Tag("I9")
    void pages_go_on_after_the_last_position_also_among_equal_times() {
        publish(IntStream.range(0, 10)
                .mapToObj(i -> Message.to("orders").key("k").deliverAt(i < 7 ? PAST : PAST.plusSeconds(i)))
                .toArray(Message[]::new));
        DueReader due = new DueReader(store).limitPerLane(3);
        assertThat(due.read()).hasSize(3);
        assertThat(due.read()).hasSize(3);
        assertThat(due.read()).hasSize(3);
        assertThat(due.read()).hasSize(1);
        assertThat(due.read()).isEmpty();
        assertThat(due.restart().readAll().stream().map(StoredMessage::key).distinct())
                .hasSize(10);
    }

    @Test
    @Tag("R27")
    void a_dead_letter_is_never_due() {
        TestRelay relay = relay("r");
        publish(Message.to("orders").deliverAt(PAST));
        relay.bury(new DueReader(store).readAll().get(0));
        assertThat(new DueReader(store).readAll()).isEmpty();
        assertThat(count("postroom_message")).isEqualTo(1);
    }

    @Test
    @Tag("R22")
    void a_delayed_message_holds_nobody() {
        publish(Message.to("orders").key("k").deliverAfter(Duration.ofHours(1)));
        publish(Message.to("orders").key("k").deliverAt(PAST));
        publish(Message.to("orders").key("k"));
        assertThat(reader().readAll())
                .singleElement()
                .satisfies(row -> assertThat(reader().isHeld(row)).isFalse());
        assertThat(new DueReader(store).readAll())
                .singleElement()
                .satisfies(row -> assertThat(reader().isHeld(row)).isFalse());
    }

    @Test
    @Tag("R28")
    void a_due_row_behind_a_failed_one_is_held() {
        TestRelay relay = relay("r");
        publish(Message.to("orders").key("k"), Message.to("orders").key("k"));
        List<StoredMessage> two = reader().readAll();
        relay.bury(two.get(0));
        relay.fail(two.get(1), Duration.ZERO);
        assertThat(new DueReader(store).readAll()).singleElement().satisfies(row -> {
            assertThat(row.key()).isEqualTo(two.get(1).key());
            assertThat(reader().isHeld(row)).isTrue();
        });
    }

    @Test
    @Tag("R10")
    void a_due_payload_above_the_limit_is_left_out() {
        publish(Message.to("orders").deliverAt(PAST).bytes("x/y", new byte[11]));
        assertThat(new DueReader(store).limits(RowLimits.ofPayload(10)).readAll())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.content().payload()).isNull();
                    assertThat(row.defect()).contains("11");
                });
    }

    private StoredMessage refetch(StoredMessage row) {
        return reader().fetch(List.of(row.key()), NO_LIMIT).get(0);
    }
}
