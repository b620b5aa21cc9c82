package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reading forward by lane and sequence number, in bounded pages. */
public abstract class ReadingContract extends StoreContract {

    @Test
    @Tag("I9")
    void a_lane_is_read_forward_page_by_page() {
        List<Published> ten = publish(stream("k", 10));
        ReferenceReader reader = reader().limitPerLane(3);
        List<UUID> ids = Arrays.asList(idsOf(ten));

        assertThat(ids(reader.read())).isEqualTo(ids.subList(0, 3));
        assertThat(ids(reader.read())).isEqualTo(ids.subList(3, 6));
        assertThat(ids(reader.read())).isEqualTo(ids.subList(6, 9));
        assertThat(ids(reader.read())).isEqualTo(ids.subList(9, 10));
        assertThat(reader.read()).isEmpty();
        assertThat(reader.restarts()).isZero();
    }

    @Test
    void lanes_are_read_apart_each_from_its_own_position() {
        List<Published> published = publish(keys(40));
        int lane = published.get(0).lane();
        List<Published> inLane =
                published.stream().filter(row -> row.lane() == lane).toList();
        assertThat(inLane.size()).isLessThan(published.size());

        ReferenceReader one = new ReferenceReader(store.plainReader(), List.of(lane));
        assertThat(ids(one.readAll())).containsExactly(idsOf(inLane));
        ReferenceReader none = new ReferenceReader(store.plainReader(), List.of());
        assertThat(none.read()).isEmpty();
    }

    @Test
    void a_row_that_shares_the_last_seq_comes_along() {
        List<Published> three = publish(stream("k", 3));
        try {
            execute(
                    "UPDATE postroom_message SET seq = ? WHERE seq = ?",
                    three.get(0).seq(),
                    three.get(1).seq());
        } catch (DatabaseException e) {
            // Where the table refuses equal numbers, there is nothing to tell apart.
            assertThat(e.sqlState()).as(e.getMessage()).startsWith("23");
            return;
        }
        ReferenceReader reader = reader().limitPerLane(1);
        assertThat(ids(reader.read()))
                .containsExactlyInAnyOrder(three.get(0).id(), three.get(1).id());
        assertThat(ids(reader.read())).containsExactly(three.get(2).id());
    }

    @Test
    @Tag("R7")
    @Tag("R27")
    void delayed_waiting_and_dead_rows_are_not_read_forward() {
        TestRelay relay = relay("r");
        List<Published> three = publish(Message.to("a"), Message.to("b"), Message.to("c"));
        List<StoredMessage> rows = reader().readAll();
        assertThat(ids(rows)).containsExactlyInAnyOrder(idsOf(three));
        relay.bury(rows.get(0));
        relay.fail(rows.get(1), Duration.ZERO);
        publish(Message.to("d").deliverAfter(Duration.ofHours(1)));
        publish(Message.to("e").deliverAfter(Duration.ZERO));

        assertThat(ids(reader().readAll())).containsExactly(rows.get(2).key().id());
    }

    @Test
    @Tag("R10")
    void a_payload_above_the_readers_limit_is_left_out_and_named_as_a_defect() {
        Published fits = publish(Message.to("a").bytes("x/y", new byte[100]));
        Published large = publish(Message.to("a").bytes("x/y", new byte[101]));
        List<StoredMessage> rows = reader().limits(RowLimits.ofPayload(100)).readAll();
        assertThat(rows).hasSize(2);
        assertThat(rows)
                .filteredOn(row -> row.key().id().equals(fits.id()))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.content().payload()).hasSize(100);
                    assertThat(row.defect()).isNull();
                });
        assertThat(rows)
                .filteredOn(row -> row.key().id().equals(large.id()))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.content().payload()).isNull();
                    assertThat(row.defect()).contains("101").contains("postroom.limits.payload-bytes");
                });
        List<RowKey> keys = rows.stream().map(StoredMessage::key).toList();
        assertThat(reader().fetch(keys, RowLimits.ofPayload(100)))
                .extracting(row -> row.defect() != null)
                .containsExactlyInAnyOrder(false, true);
    }

    @Test
    @Tag("R8")
    void every_lane_is_used_and_can_be_read() {
        List<Published> keyless = publish(repeat(Message.to("orders"), 2_000));
        assertThat(keyless.stream().map(Published::lane).distinct().sorted()).containsExactlyElementsOf(ALL_LANES);
        List<Published> keyed = publish(keys(2_000));
        assertThat(keyed.stream().map(Published::lane).distinct().sorted()).containsExactlyElementsOf(ALL_LANES);
        assertThat(reader().readAll()).hasSize(4_000);
    }

    @Test
    @Tag("R8")
    void a_tenant_is_spread_over_eight_lanes() {
        for (String tenant : List.of("a", "b", "Müller", "x ".repeat(60))) {
            List<Published> published = new ArrayList<>();
            published.addAll(publish(Arrays.stream(keys(300))
                    .map(message -> message.tenant(tenant))
                    .toArray(Message[]::new)));
            published.addAll(publish(repeat(Message.to("orders").tenant(tenant), 300)));
            assertThat(published.stream().map(Published::lane).distinct())
                    .as(tenant)
                    .hasSize(8);
        }
    }

    @Test
    @Tag("R22")
    void a_stream_stays_in_its_lane_whoever_writes() {
        Published first = publish(Message.to("orders").tenant("t").key("k"));
        Published second = publish(Message.to("orders").tenant("t").key("k").type("other"));
        execute(
                "INSERT INTO postroom_message (tenant, topic, ordering_key, payload) VALUES ('t', 'orders', 'k', ?)",
                (Object) new byte[0]);
        assertThat(second.lane()).isEqualTo(first.lane());
        assertThat(reader().readAll())
                .hasSize(3)
                .extracting(row -> row.key().lane())
                .containsOnly(first.lane());
    }

    @Test
    void fetch_finds_what_still_exists_and_is_not_dead() {
        TestRelay relay = relay("r");
        publish(
                Message.to("ready"),
                Message.to("waiting"),
                Message.to("dead"),
                Message.to("left"),
                Message.to("other"));
        publish(Message.to("delayed").deliverAfter(Duration.ofHours(1)));
        List<StoredMessage> rows = reader().readAll();
        assertThat(rows).hasSize(5);
        relay.fail(topic(rows, "waiting"), Duration.ofHours(1));
        relay.bury(topic(rows, "dead"));
        relay.succeed(topic(rows, "left"));
        List<RowKey> keys =
                new ArrayList<>(rows.stream().map(StoredMessage::key).toList());
        RowKey other = topic(rows, "other").key();
        keys.remove(other);
        keys.add(new RowKey(other.lane(), other.seq(), UUID.randomUUID()));
        String delayedSeq = value("SELECT seq FROM postroom_message WHERE topic = 'delayed'");
        String delayedLane = value("SELECT lane FROM postroom_message WHERE topic = 'delayed'");
        String delayedId = value("SELECT id FROM postroom_message WHERE topic = 'delayed'");
        keys.add(new RowKey(
                Integer.parseInt(String.valueOf(delayedLane)),
                Long.parseLong(String.valueOf(delayedSeq)),
                UUID.fromString(String.valueOf(delayedId))));

        assertThat(reader().fetch(keys, NO_LIMIT))
                .extracting(row -> row.stream().topic())
                .containsExactlyInAnyOrder("ready", "waiting", "delayed");
        assertThat(reader().fetch(List.of(), NO_LIMIT)).isEmpty();
    }

    @Test
    @Tag("I9")
    void fetch_takes_a_thousand_keys() {
        publish(keys(1_000));
        List<RowKey> keys = reader().readAll().stream().map(StoredMessage::key).toList();
        assertThat(keys).hasSize(1_000);
        assertThat(reader().fetch(keys, NO_LIMIT)).hasSize(1_000);
    }

    @Test
    @Tag("R33")
    void late_rows_of_a_lane_come_although_no_range_of_it_is_asked_for() {
        Tx slow = begin();
        Published late = slow.publish(Message.to("orders").key("k"));
        Published ahead = publish(Message.to("orders").key("k"));
        ReferenceReader reader = reader();
        assertThat(reader.readAll()).hasSize(1);
        FollowReader.Mark mark = page(reader, null, ahead).next();
        slow.commit();

        PageAnswer.Page page = page(reader, mark, ahead);
        assertThat(page.ranges()).isEmpty();
        boolean told = store.kind() == DatabaseUnderTest.Kind.POSTGRESQL;
        assertThat(page.late()).extracting(row -> row.key().id()).isEqualTo(told ? List.of(late.id()) : List.of());
    }

    private static PageAnswer.Page page(ReferenceReader reader, FollowReader.@Nullable Mark mark, Published highest) {
        return (PageAnswer.Page) reader.port()
                .read(new PageRequest(
                        mark,
                        List.of(new PageRequest.Reach(highest.lane(), highest.seq())),
                        List.of(),
                        10,
                        PageRequest.Due.NONE,
                        PageRequest.Sweep.NONE,
                        ReferenceReader.BOUNDS));
    }

    @Test
    void a_reader_goes_on_after_its_connection_broke() {
        Published published = publish(Message.to("orders"));
        ReferenceReader reader = reader();
        assertThat(reader.readAll()).hasSize(1);
        assertThat(published.lane()).isBetween(0, 63);
        reader.port().close();
        publish(Message.to("orders"));
        assertThat(reader.readAll()).hasSize(1);
    }

    private static StoredMessage topic(List<StoredMessage> rows, String topic) {
        return rows.stream()
                .filter(row -> row.stream().topic().equals(topic))
                .findFirst()
                .orElseThrow();
    }

    private static Message[] stream(String key, int messages) {
        return repeat(Message.to("orders").key(key), messages);
    }

    private static Message[] keys(int keys) {
        return IntStream.range(0, keys)
                .mapToObj(i -> Message.to("orders").key("key " + i))
                .toArray(Message[]::new);
    }

    private static Message[] repeat(Message message, int times) {
        return IntStream.range(0, times)
                .mapToObj(i -> message.id(UUID.randomUUID()))
                .toArray(Message[]::new);
    }
}
