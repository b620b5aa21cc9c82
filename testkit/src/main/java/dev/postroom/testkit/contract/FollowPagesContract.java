package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageAnswer.Page;
import dev.postroom.spi.PageAnswer.RangeRows;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Span;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a page for followers contains, part by part, and where each scan ended. */
@Tag("R34")
@Tag("I9")
public abstract class FollowPagesContract extends StoreContract {
    private static final ReadBounds PLENTY = ReferenceReader.BOUNDS;

    private FollowReader reader;

    @BeforeEach
    void open() {
        reader = store.closing(store.store().openFollowReader(Owing.EVERYWHERE));
    }

    @Test
    void a_range_ends_at_its_last_row_when_a_limit_cuts_it_and_goes_on_from_there() {
        List<Published> rows = inOneLane(5);
        int lane = rows.get(0).lane();

        RangeRows first = range(lane, 0, 2);
        assertThat(ids(first)).containsExactly(rows.get(0).id(), rows.get(1).id());
        assertThat(first.cut()).isTrue();
        assertThat(first.end()).isEqualTo(rows.get(1).seq());

        RangeRows second = range(lane, first.end(), 10);
        assertThat(ids(second))
                .containsExactly(rows.get(2).id(), rows.get(3).id(), rows.get(4).id());
        assertThat(second.cut()).isFalse();
    }

    @Test
    void a_range_that_is_not_cut_ends_at_the_last_number_and_not_at_its_last_ready_row() {
        List<Published> rows = inOneLane(3);
        Published delayed = publish(Message.to("orders").key("k").deliverAfter(Duration.ofHours(1)));

        RangeRows range = range(rows.get(0).lane(), 0, 10);
        assertThat(range.rows()).hasSize(3);
        assertThat(range.end()).isEqualTo(delayed.seq());
        assertThat(range((rows.get(0).lane() + 1) % 64, 0, 10).end()).isEqualTo(delayed.seq());
    }

    /** Else every transaction that happens to be open during a read would be late, however soon it commits. */
    @Test
    @Tag("R33")
    void what_is_being_written_during_a_read_is_read_forward_by_the_next_one() {
        Page before = page(new Range(0, 0, Long.MAX_VALUE, 10));
        Tx open = begin();
        Published written = open.publish(Message.to("orders").key("k"));
        List<Reach> reaches =
                List.of(new Reach(written.lane(), before.ranges().get(0).end()));
        List<Range> ranges =
                List.of(new Range(written.lane(), before.ranges().get(0).end(), Long.MAX_VALUE, 10));
        Page during = answer(before.next(), reaches, ranges, Due.NONE, Sweep.NONE);
        assertThat(during.ranges().get(0).end()).isLessThan(written.seq());
        open.commit();

        Page after = answer(during.next(), reaches, ranges, Due.NONE, Sweep.NONE);
        assertThat(after.late()).isEmpty();
        assertThat(ids(after.ranges().get(0))).containsExactly(written.id());
    }

    @Test
    void a_range_goes_no_further_than_asked_and_never_ends_before_it_begins() {
        List<Published> rows = inOneLane(4);
        int lane = rows.get(0).lane();
        long middle = rows.get(1).seq();

        RangeRows range = page(new Range(lane, 0, middle, 10)).ranges().get(0);
        assertThat(range.rows()).hasSize(2);
        assertThat(range.end()).isEqualTo(middle);
        assertThat(range.cut()).isFalse();
        assertThat(range(lane, 1_000_000, 10).end()).isEqualTo(1_000_000);
    }

    @Test
    void several_ranges_of_one_lane_are_answered_in_their_order() {
        List<Published> rows = inOneLane(6);
        int lane = rows.get(0).lane();
        long middle = rows.get(3).seq();

        Page page = page(new Range(lane, middle, Long.MAX_VALUE, 10), new Range(lane, 0, middle, 2));
        assertThat(ids(page.ranges().get(0)))
                .containsExactly(rows.get(4).id(), rows.get(5).id());
        assertThat(ids(page.ranges().get(1)))
                .containsExactly(rows.get(0).id(), rows.get(1).id());
    }

    @Test
    void a_page_without_any_part_says_at_least_what_time_it_is() {
        assertThat(page().at()).isBetween(now().minusSeconds(300), now().plusSeconds(300));
    }

    @Test
    void an_answer_stays_within_its_bytes_and_every_part_gets_some() {
        byte[] large = noise(100_000);
        List<Published> rows = publish(IntStream.range(0, 20)
                .mapToObj(i -> Message.to("orders").key("k" + i % 2).bytes("application/octet-stream", large))
                .toArray(Message[]::new));
        ReadBounds bounds = new ReadBounds(RowLimits.ofPayload(Integer.MAX_VALUE), 450_000);
        int one = rows.get(0).lane();
        int other = rows.get(1).lane();
        Page page = (Page) reader.read(new PageRequest(
                null,
                List.of(),
                List.of(new Range(one, 0, Long.MAX_VALUE, 10), new Range(other, 0, Long.MAX_VALUE, 10)),
                10,
                Due.NONE,
                Sweep.NONE,
                bounds));

        assertThat(page.ranges()).allSatisfy(range -> {
            assertThat(range.rows()).hasSize(2);
            assertThat(range.cut()).isTrue();
            assertThat(range.end()).isEqualTo(range.rows().get(1).seq());
            assertThat(range.rows())
                    .allSatisfy(
                            row -> assertThat(row.message().content().payload()).hasSize(large.length));
        });
    }

    @Test
    void one_row_comes_whatever_it_weighs_and_without_what_exceeds_its_own_limits() {
        publish(Message.to("orders").key("k").bytes("application/octet-stream", noise(50_000)));
        List<Range> ranges = ALL_LANES.stream()
                .map(lane -> new Range(lane, 0, Long.MAX_VALUE, 10))
                .toList();
        ReadBounds tight = new ReadBounds(RowLimits.ofPayload(Integer.MAX_VALUE), 1);
        ReadBounds tighter = new ReadBounds(RowLimits.ofPayload(40_000), 1);

        StoredMessage whole = onlyRow(ranges, tight);
        assertThat(whole.content().payload()).hasSize(50_000);
        assertThat(whole.defect()).isNull();
        StoredMessage defective = onlyRow(ranges, tighter);
        assertThat(defective.content().payload()).isNull();
        assertThat(defective.defect()).contains("50000").contains("40000");
    }

    @Test
    void due_rows_come_by_time_and_go_on_behind_their_end() {
        Published later = publish(Message.to("orders").key("k").deliverAfter(Duration.ofHours(1)));
        List<Published> due = publish(
                Message.to("orders").key("k").deliverAfter(Duration.ofHours(1)),
                Message.to("orders").key("k").deliverAfter(Duration.ofHours(1)),
                Message.to("orders").key("k").deliverAfter(Duration.ofHours(1)));
        String past = "UPDATE postroom_message SET available_at = CURRENT_TIMESTAMP - INTERVAL '%d' HOUR WHERE seq = ?";
        execute(past.formatted(10), due.get(2).seq());
        execute(past.formatted(20), due.get(1).seq());
        execute(past.formatted(30), due.get(0).seq());

        Page first = due(DuePosition.beginning(later.lane()), 2);
        assertThat(taken(first.due().rows()))
                .containsExactly(due.get(0).id(), due.get(1).id());
        assertThat(first.due().ends()).singleElement().satisfies(end -> {
            assertThat(end.cut()).isTrue();
            assertThat(end.position().seq()).isEqualTo(due.get(1).seq());
        });

        Page second = due(first.due().ends().get(0).position(), 2);
        assertThat(taken(second.due().rows())).containsExactly(due.get(2).id());
        assertThat(second.due().ends().get(0).cut()).isFalse();
        Page third = due(second.due().ends().get(0).position(), 2);
        assertThat(third.due().rows()).isEmpty();
        assertThat(third.due().ends().get(0).position())
                .isEqualTo(second.due().ends().get(0).position());
    }

    @Test
    void a_sweep_goes_through_its_spans_and_says_how_far_it_came() {
        List<Published> rows = publish(IntStream.range(0, 40)
                .mapToObj(i -> Message.to("orders").key("k" + i).type("t"))
                .toArray(Message[]::new));
        long last = rows.get(39).seq();
        List<Span> all = ALL_LANES.stream().map(lane -> new Span(lane, 0, last)).toList();

        Page whole = sweep(new Sweep(all, 100));
        assertThat(whole.swept().rows()).hasSize(40).allSatisfy(row -> {
            assertThat(row.type()).isEqualTo("t");
            assertThat(row.stream().topic()).isEqualTo("orders");
        });
        assertThat(whole.swept().ends()).hasSize(64).containsOnly(last);

        Page part = sweep(new Sweep(all, 7));
        assertThat(part.swept().rows()).isEqualTo(whole.swept().rows().subList(0, 7));
        int lane = part.swept().rows().get(6).key().lane();
        assertThat(part.swept().ends().subList(0, lane)).containsOnly(last);
        assertThat(part.swept().ends().get(lane))
                .isEqualTo(part.swept().rows().get(6).key().seq());
        assertThat(part.swept().ends().subList(lane + 1, 64)).containsOnly(0L);
    }

    @Test
    @Tag("R35")
    void numbers_that_go_backwards_lose_nothing() {
        ReferenceReader follower = reader();
        publish(Message.to("orders").key("k"), Message.to("orders").key("k"));
        assertThat(follower.readAll()).hasSize(2);
        execute("DELETE FROM postroom_message");
        execute(store.kind().rewind());
        Published again = publish(Message.to("orders").key("k"));
        assertThat(again.seq()).isEqualTo(1);

        assertThat(ids(follower.readAll())).containsExactly(again.id());
    }

    /** Bytes that no compression makes fewer. */
    private static byte[] noise(int size) {
        byte[] bytes = new byte[size];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private StoredMessage onlyRow(List<Range> ranges, ReadBounds bounds) {
        Page page = (Page) reader.read(new PageRequest(null, List.of(), ranges, 10, Due.NONE, Sweep.NONE, bounds));
        return page.ranges().stream()
                .flatMap(range -> range.rows().stream())
                .findFirst()
                .orElseThrow()
                .message();
    }

    private RangeRows range(int lane, long after, int limit) {
        return page(new Range(lane, after, Long.MAX_VALUE, limit)).ranges().get(0);
    }

    private Page page(Range... ranges) {
        return answer(null, List.of(), Arrays.asList(ranges), Due.NONE, Sweep.NONE);
    }

    private Page due(DuePosition position, int limit) {
        return answer(null, List.of(), List.of(), new Due(List.of(position), limit), Sweep.NONE);
    }

    private Page sweep(Sweep sweep) {
        return answer(null, List.of(), List.of(), Due.NONE, sweep);
    }

    private Page answer(
            FollowReader.@Nullable Mark mark, List<Reach> reaches, List<Range> ranges, Due due, Sweep sweep) {
        PageAnswer answer = reader.read(new PageRequest(mark, reaches, ranges, 1_000, due, sweep, PLENTY));
        assertThat(answer).isInstanceOf(Page.class);
        return (Page) answer;
    }

    /** Messages of one stream. */
    private List<Published> inOneLane(int count) {
        return publish(IntStream.range(0, count)
                .mapToObj(i -> Message.to("orders").key("k"))
                .toArray(Message[]::new));
    }

    private static List<UUID> ids(RangeRows range) {
        return taken(range.rows());
    }

    private static List<UUID> taken(List<FollowedMessage> rows) {
        return rows.stream().map(row -> row.key().id()).toList();
    }
}
