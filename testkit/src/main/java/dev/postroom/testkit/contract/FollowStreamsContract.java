package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.Held;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.FollowedMessage.Earlier;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer.Page;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import dev.postroom.spi.StreamRead.Ask;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams as followers see them: one id for all topics, what holds them where, and what a stream read returns. */
@Tag("R22")
@Tag("R28")
public abstract class FollowStreamsContract extends StoreContract {
    private static final long A = TestRelay.A;
    private static final long B = TestRelay.B;
    /** Topic a goes to A, topic both to both, anything else is not known. */
    private static final Owing OWING = (topic, only) -> topic.equals("a") ? A : topic.equals("both") ? A | B : -1;

    private FollowReader reader;

    @BeforeEach
    void open() {
        reader = store.closing(store.store().openFollowReader(OWING));
    }

    @Test
    void a_key_is_one_stream_of_its_tenant_whatever_the_topic() {
        publish(
                Message.to("a").key("k"),
                Message.to("both").key("k"),
                Message.to("a").key("k").tenant("t"),
                Message.to("a").key("other"));
        List<FollowedMessage> rows = rows();

        assertThat(rows.get(1).stream()).isEqualTo(rows.get(0).stream());
        assertThat(rows.get(1).key().lane()).isEqualTo(rows.get(0).key().lane());
        assertThat(rows.stream().map(FollowedMessage::stream).distinct()).hasSize(3);
    }

    @Test
    void tenant_and_key_are_kept_apart() {
        publish(
                Message.to("a").tenant("a").key("bc"),
                Message.to("a").tenant("ab").key("c"),
                Message.to("a").tenant("").key("abc"),
                Message.to("a").tenant("1:a").key("b"),
                Message.to("a").tenant("1").key(":ab"));
        assertThat(rows().stream().map(FollowedMessage::stream).distinct()).hasSize(5);
    }

    @Test
    @Tag("R58")
    void every_way_of_writing_gives_the_same_stream() {
        publish(Message.to("a").key("schlüssel").tenant("t"));
        publishByFunction("a", "schlüssel", "t");
        execute("INSERT INTO postroom_message (tenant, topic, ordering_key, payload) VALUES ('t', 'both', 'schlüssel', "
                + store.kind().noBytes() + ")");
        List<FollowedMessage> rows = rows();

        assertThat(rows).hasSizeGreaterThanOrEqualTo(2);
        assertThat(rows.stream().map(FollowedMessage::stream).distinct()).hasSize(1);
        assertThat(rows.stream().map(row -> row.key().lane()).distinct()).hasSize(1);
    }

    @Test
    @Tag("R58")
    void a_row_that_is_given_another_key_belongs_to_its_stream() {
        List<Published> two = publish(Message.to("a").key("k"), Message.to("a").key("other"));
        execute(
                "UPDATE postroom_message SET ordering_key = 'other' WHERE seq = ?",
                two.get(0).seq());
        List<FollowedMessage> rows = rows();
        assertThat(rows.get(0).stream()).isEqualTo(rows.get(1).stream());
        assertThat(rows.get(0).key().lane()).isEqualTo(rows.get(1).key().lane());
    }

    @Test
    void a_failed_message_holds_later_ones_of_all_topics_where_it_still_has_to_go() {
        TestRelay relay = relay("r");
        publish(
                Message.to("a").key("k"),
                Message.to("both").key("k"),
                Message.to("elsewhere").key("k"));
        relay.fail(stored().get(0), Duration.ofHours(1));

        assertThat(rows()).hasSize(2).allSatisfy(row -> assertThat(row.heldAt()).isEqualTo(A));
        assertThat(reader.holders(List.of(rows().get(0).stream(), 42L)))
                .containsExactly(new Held(rows().get(0).stream(), A));
    }

    @Test
    void what_a_holder_has_reached_it_does_not_hold() {
        TestRelay relay = relay("r");
        publish(Message.to("both").key("k"), Message.to("both").key("k"));
        StoredMessage first = stored().get(0);
        relay.settle(List.of(TestRelay.success(first, A, A | B)), List.of(), true);
        relay.fail(stored().get(0), Duration.ofHours(1));

        assertThat(rows())
                .singleElement()
                .satisfies(row -> assertThat(row.heldAt()).isEqualTo(B));
    }

    @Test
    void with_many_holders_a_stream_is_held_everywhere() {
        TestRelay relay = relay("r");
        publish(IntStream.range(0, 12).mapToObj(i -> Message.to("a").key("k")).toArray(Message[]::new));
        List<StoredMessage> all = stored();
        all.subList(0, 10).forEach(relay::bury);

        assertThat(rows()).hasSize(2).allSatisfy(row -> assertThat(row.heldAt()).isEqualTo(-1));
    }

    @Test
    void neither_a_released_one_nor_a_skipped_one_holds_or_is_part_of_the_order() {
        TestRelay relay = relay("r");
        publish(
                Message.to("a").key("k"),
                Message.to("a").key("k"),
                Message.to("a").key("k"));
        List<StoredMessage> all = stored();
        relay.bury(all.get(0));
        execute(
                "UPDATE postroom_message SET released = TRUE WHERE seq = ?",
                all.get(0).key().seq());
        Cause cause = new Cause(FailureReason.VALIDATION_FAILURE, "no", null);
        relay.settle(List.of(), List.of(relay.failure(all.get(1), Duration.ofHours(1), false, cause)), true);

        FollowedMessage last = rows().get(0);
        assertThat(last.heldAt()).isZero();
        assertThat(reader.holders(List.of(last.stream()))).isEmpty();
        assertThat(seqs(read(Ask.all(last.stream(), 10)))).containsExactly(last.seq());
    }

    @Test
    void a_stream_read_returns_what_is_ordered_in_whatever_state_from_its_lowest_row() {
        TestRelay relay = relay("r");
        List<Published> published = publish(
                Message.to("a").key("k"),
                Message.to("both").key("k"),
                Message.to("a").key("k").deliverAfter(Duration.ofHours(1)),
                Message.to("a").key("other"),
                Message.to("elsewhere").key("k"));
        relay.bury(stored().get(1));
        relay.fail(stored().get(0), Duration.ofHours(1));
        long stream =
                "k".equals(rows().get(0).message().stream().key()) ? rows().get(0).stream() : rows().get(1).stream();

        StreamRead.Rows found = read(Ask.all(stream, 10));
        assertThat(found.rows())
                .extracting(row -> row.message().progress().state())
                .containsExactly(RowState.WAITING, RowState.DEAD, RowState.DELAYED, RowState.READY);
        assertThat(seqs(found))
                .containsExactly(
                        published.get(0).seq(),
                        published.get(1).seq(),
                        published.get(2).seq(),
                        published.get(4).seq());
        assertThat(found.rows()).allSatisfy(row -> assertThat(row.heldAt()).isZero());
        assertThat(found.cut()).isFalse();
    }

    @Test
    void a_stream_read_is_bounded_goes_on_and_passes_over_what_its_destination_has() {
        TestRelay relay = relay("r");
        List<Published> published = publish(
                IntStream.range(0, 6).mapToObj(i -> Message.to("both").key("k")).toArray(Message[]::new));
        long stream = rows().get(0).stream();
        relay.settle(
                stored().subList(0, 3).stream()
                        .map(row -> TestRelay.success(row, A, A | B))
                        .toList(),
                List.of(),
                true);

        StreamRead.Rows none = read(new Ask(stream, 0, A, 2));
        assertThat(none.rows()).isEmpty();
        assertThat(none.cut()).isTrue();
        assertThat(none.end()).isEqualTo(published.get(1).seq());
        StreamRead.Rows one = read(new Ask(stream, none.end(), A, 2));
        assertThat(seqs(one)).containsExactly(published.get(3).seq());
        assertThat(one.end()).isEqualTo(published.get(3).seq());
        assertThat(seqs(read(new Ask(stream, one.end(), A, 5))))
                .containsExactly(published.get(4).seq(), published.get(5).seq());
        assertThat(seqs(read(new Ask(stream, 0, B, 100)))).hasSize(6);
    }

    @Test
    void several_streams_are_read_at_once() {
        publish(
                Message.to("a").key("k"),
                Message.to("a").key("other"),
                Message.to("a").key("k"));
        List<FollowedMessage> rows = rows();
        StreamRead read = reader.readStreams(
                List.of(Ask.all(rows.get(1).stream(), 10), Ask.all(4711, 10), Ask.all(rows.get(0).stream(), 1)),
                ReferenceReader.BOUNDS);
        assertThat(read.streams()).extracting(found -> found.rows().size()).containsExactly(1, 0, 1);
        assertThat(read.streams()).extracting(StreamRead.Rows::cut).containsExactly(false, false, true);
        assertThat(read.at()).isAfter(now().minusSeconds(300));
    }

    /** A late a1 for A, then a row that is for B alone: the next for A must be told of a1, not of the row between. */
    @Test
    @Tag("I3")
    void without_late_rows_the_nearest_earlier_one_is_told_for_each_destination() {
        if (store.kind() == DatabaseUnderTest.Kind.POSTGRESQL) {
            return; // tells which rows are late
        }
        Owing owing = (topic, only) -> topic.equals("a") ? A : topic.equals("b") ? B : A | B;
        FollowReader telling = store.closing(store.store().openFollowReader(owing));
        List<Published> rows = publish(
                Message.to("a").key("k"),
                Message.to("b").key("k"),
                Message.to("both").key("k"),
                Message.to("both").key("k"));

        int lane = rows.get(0).lane();
        List<FollowedMessage> found = page(telling, new Range(lane, rows.get(1).seq(), Long.MAX_VALUE, 10))
                .ranges()
                .get(0)
                .rows();
        assertThat(found.get(0).earlier())
                .containsExactlyInAnyOrder(
                        new Earlier(rows.get(0).seq(), A),
                        new Earlier(rows.get(1).seq(), B));
        assertThat(found.get(1).earlier()).isEmpty();
    }

    @Test
    @Tag("I3")
    void without_late_rows_a_nearest_one_that_is_too_far_away_counts_as_held() {
        if (store.kind() == DatabaseUnderTest.Kind.POSTGRESQL) {
            return; // tells which rows are late
        }
        Owing owing = (topic, only) -> topic.equals("a") ? A : topic.equals("b") ? B : A | B;
        FollowReader telling = store.closing(store.store().openFollowReader(owing));
        publish(Message.to("a").key("k"));
        publish(IntStream.range(0, 40).mapToObj(i -> Message.to("b").key("k")).toArray(Message[]::new));
        long before = Long.parseLong(String.valueOf(value("SELECT max(seq) FROM postroom_message")));
        Published last = publish(Message.to("both").key("k"));

        assertThat(page(telling, new Range(last.lane(), before, Long.MAX_VALUE, 10))
                        .ranges()
                        .get(0)
                        .rows())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.heldAt()).isEqualTo(A);
                    assertThat(row.earlier()).containsExactly(new Earlier(before, B));
                });
    }

    private void publishByFunction(String topic, String key, String tenant) {
        switch (store.kind()) {
            case POSTGRESQL ->
                value(
                        "SELECT id FROM postroom_publish(topic => ?, payload => ''::bytea, key => ?, tenant => ?)",
                        topic,
                        key,
                        tenant);
            case MARIADB ->
                execute(
                        "CALL postroom_publish(?, '', ?, NULL, ?, NULL, NULL, NULL, NULL, NULL, NULL, @id, @existed)",
                        topic,
                        key,
                        tenant);
            case H2 -> {} // has none
        }
    }

    private StreamRead.Rows read(Ask ask) {
        return reader.readStreams(List.of(ask), ReferenceReader.BOUNDS)
                .streams()
                .get(0);
    }

    private static List<Long> seqs(StreamRead.Rows found) {
        return found.rows().stream().map(FollowedMessage::seq).toList();
    }

    private List<StoredMessage> stored() {
        return reader().readAll();
    }

    /** All READY rows by seq. */
    private List<FollowedMessage> rows() {
        Range[] all = ALL_LANES.stream()
                .map(lane -> new Range(lane, 0, Long.MAX_VALUE, 1_000))
                .toArray(Range[]::new);
        return page(reader, all).ranges().stream()
                .flatMap(range -> range.rows().stream())
                .sorted(Comparator.comparingLong(FollowedMessage::seq))
                .toList();
    }

    private static Page page(FollowReader from, Range... ranges) {
        return (Page) from.read(
                new PageRequest(null, List.of(), List.of(ranges), 1_000, Due.NONE, Sweep.NONE, ReferenceReader.BOUNDS));
    }
}
