package dev.postroom.testkit.simulation.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import dev.postroom.operations.Change;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.FollowedMessage.Earlier;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Span;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StreamRead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulated database answers readers as their port says. */
@Tag("R33")
class SimulatedReadingTest {
    private static final ReadBounds WIDE = new ReadBounds(RowLimits.ofPayload(100), 1_000_000);
    private static final long PLENTY = 1_000;

    private Tables tables = new Tables(Personality.SNAPSHOTS);

    private FollowReader reader() {
        return tables.database.followReader((topic, only) -> topic.equals("b") ? 2 : 1, () -> 1);
    }

    private PageAnswer read(Mark previous, long position, int limit, int lateLimit, ReadBounds bounds) {
        int lane = tables.lane();
        return reader().read(new PageRequest(
                previous,
                List.of(new Reach(lane, position)),
                List.of(new Range(lane, position, PLENTY, limit)),
                lateLimit,
                new Due(List.of(DuePosition.beginning(lane)), limit),
                new Sweep(List.of(new Span(lane, 0, position)), limit),
                bounds));
    }

    private PageAnswer.Page page(Mark previous, long position, int limit) {
        return (PageAnswer.Page) read(previous, position, limit, 10, WIDE);
    }

    private static List<RowKey> keys(List<FollowedMessage> rows) {
        return rows.stream().map(FollowedMessage::key).toList();
    }

    @Nested
    class Ranges {
        @Test
        void one_that_was_cut_ends_at_its_last_row() {
            RowKey first = tables.publish();
            tables.publish();
            PageAnswer.RangeRows range = page(null, 0, 1).ranges().get(0);
            assertThat(keys(range.rows())).containsExactly(first);
            assertThat(range.cut()).isTrue();
            assertThat(range.end()).isEqualTo(first.seq());
        }

        @Test
        void one_that_was_not_cut_ends_at_the_last_number_whoever_has_it() {
            tables.publish();
            tables.database.skipSeq();
            PageAnswer.RangeRows range = page(null, 0, 10).ranges().get(0);
            assertThat(range.cut()).isFalse();
            assertThat(range.end()).isEqualTo(2);
        }

        @Test
        void bytes_that_are_used_up_cut_the_ranges_that_follow() {
            tables.publish();
            tables.publish();
            PageAnswer.Page page = (PageAnswer.Page) read(null, 0, 10, 10, new ReadBounds(RowLimits.ofPayload(100), 1));
            assertThat(page.ranges().get(0).rows()).hasSize(1);
            assertThat(page.ranges().get(0).cut()).isTrue();
        }
    }

    @Nested
    class Late_rows {
        @Test
        void are_those_of_a_transaction_younger_than_the_snapshots_end_too() {
            WriterTransaction first = tables.database.begin();
            WriterTransaction second = tables.database.begin();
            RowKey late = tables.insert(second);
            RowKey early = tables.insert(first);
            first.commit();
            PageAnswer.Page page = page(null, 0, 10);
            assertThat(keys(page.ranges().get(0).rows())).containsExactly(early);
            second.commit();
            assertThat(keys(page(page.next(), early.seq(), 10).late())).containsExactly(late);
        }

        @Test
        void never_come_from_what_was_rolled_back() {
            WriterTransaction slow = tables.database.begin();
            int savepoint = slow.savepoint();
            tables.insert(slow);
            slow.rollbackTo(savepoint);
            RowKey kept = tables.insert(slow);
            WriterTransaction other = tables.database.begin();
            tables.insert(other);
            RowKey early = tables.publish();
            Mark mark = page(null, 0, 10).next();
            other.rollback();
            slow.commit();
            assertThat(keys(page(mark, early.seq(), 10).late())).containsExactly(kept);
            assertThat(tables.database.openTransactions()).isZero();
        }

        @Test
        void never_come_if_that_is_broken_on_purpose() {
            tables = new Tables(Personality.SNAPSHOTS, DatabaseDefect.NO_LATE_ROWS);
            WriterTransaction slow = tables.database.begin();
            tables.insert(slow);
            RowKey early = tables.publish();
            Mark mark = page(null, 0, 10).next();
            slow.commit();
            assertThat(page(mark, early.seq(), 10).late()).isEmpty();
        }

        @Test
        void come_once_and_before_all_others() {
            WriterTransaction slow = tables.database.begin();
            RowKey late = tables.insert(slow);
            RowKey early = tables.publish();
            PageAnswer.Page first = page(null, 0, 10);
            slow.commit();
            PageAnswer.Page second = page(first.next(), early.seq(), 10);
            assertThat(keys(second.late())).containsExactly(late);
            assertThat(page(second.next(), early.seq(), 10).late()).isEmpty();
        }

        @Test
        void that_exceed_their_limit_are_found_by_their_floor_in_steps() {
            WriterTransaction slow = tables.database.begin();
            RowKey lowest = tables.insert(slow);
            tables.insert(slow);
            tables.insert(slow);
            RowKey early = tables.publish();
            Mark mark = page(null, 0, 10).next();
            slow.commit();
            assertThat(read(mark, early.seq(), 10, 2, WIDE)).isInstanceOf(PageAnswer.LateCut.class);
            List<Reach> reaches = List.of(new Reach(early.lane(), early.seq()));
            LateFloor.Part half = (LateFloor.Part) reader().lateFloor(mark, reaches, 2);
            assertThat(half.complete()).isFalse();
            LateFloor.Part whole = (LateFloor.Part) reader().lateFloor(half.next(), reaches, 2);
            assertThat(whole.complete()).isTrue();
            assertThat(whole.lowest()).containsExactly(new Reach(early.lane(), lowest.seq()));
            assertThat(page(whole.next(), early.seq(), 10).late()).isEmpty();
        }

        @Test
        void of_a_transaction_that_this_server_has_not_given_are_not_late_until_it_has() {
            tables.database.skipSeq();
            RowKey early = tables.publish();
            Mark mark = page(null, 0, 10).next();
            RowKey foreign = tables.restore(1, 4);
            assertThat(page(mark, early.seq(), 10).late()).isEmpty();
            assertThat(page(mark, early.seq(), 10).swept().rows())
                    .extracting(PageAnswer.SweptRow::key)
                    .contains(foreign);
            tables.publish();
            tables.publish();
            tables.publish();
            tables.publish();
            PageAnswer.Page then = page(mark, early.seq(), 10);
            assertThat(keys(then.late())).contains(foreign);
            assertThat(keys(page(then.next(), early.seq(), 10).late())).doesNotContain(foreign);
        }

        @Test
        void are_not_known_to_a_portable_database_which_names_the_nearest_earlier_row() {
            tables = new Tables(Personality.PORTABLE);
            WriterTransaction slow = tables.database.begin();
            RowKey late = tables.insert(slow);
            RowKey early = tables.publish();
            PageAnswer.Page first = page(null, 0, 10);
            slow.commit();
            tables.publish();
            PageAnswer.Page second = page(first.next(), early.seq(), 10);
            assertThat(second.late()).isEmpty();
            assertThat(second.ranges().get(0).rows().get(0).earlier()).containsExactly(new Earlier(early.seq(), 1));
            assertThat(second.swept().rows())
                    .extracting(PageAnswer.SweptRow::key)
                    .contains(late);
        }
    }

    @Test
    void a_range_goes_no_further_than_asked() {
        RowKey first = tables.publish();
        RowKey second = tables.publish();
        tables.publish();
        Range upToSecond = new Range(first.lane(), first.seq(), second.seq(), 10);
        PageAnswer.Page page = (PageAnswer.Page)
                reader().read(new PageRequest(null, List.of(), List.of(upToSecond), 10, Due.NONE, Sweep.NONE, WIDE));
        assertThat(keys(page.ranges().get(0).rows())).containsExactly(second);
        assertThat(page.ranges().get(0).end()).isEqualTo(second.seq());
    }

    @Test
    void a_payload_above_the_limit_is_a_defect() {
        RowKey key = tables.publish();
        assertThat(reader().fetch(List.of(key), new ReadBounds(RowLimits.ofPayload(9), 1_000)))
                .singleElement()
                .satisfies(row -> assertThat(row.message().defect()).contains("10"));
    }

    @Test
    void streams_are_spread_over_all_lanes_in_use() {
        Set<Integer> lanes = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            lanes.add(tables.database.laneOf(new Stream("", "orders", "key " + i), new UUID(0, 0)));
        }
        assertThat(lanes).hasSize(64);
    }

    @Nested
    class Marks {
        @Test
        void of_another_server_mean_to_begin_anew() {
            tables.publish();
            Mark mark = page(null, 0, 10).next();
            tables.database.restartServer();
            assertThat(read(mark, 1, 10, 10, WIDE)).isInstanceOf(PageAnswer.Restart.class);
            assertThat(reader().lateFloor(mark, List.of(), 10)).isInstanceOf(LateFloor.Restart.class);
        }

        @Test
        void are_not_needed_to_see_that_numbers_went_backwards() {
            tables.publish();
            assertThat(read(null, PLENTY, 10, 10, WIDE)).isInstanceOf(PageAnswer.Restart.class);
        }
    }

    @Nested
    class Holders {
        @Test
        void hold_a_row_at_the_destinations_that_they_still_owe_whatever_its_topic() {
            RowKey failed = tables.publish(new Stream("", "a", "k"));
            RowKey behind = tables.publish(new Stream("", "b", "k"));
            long epoch = tables.lease(tables.acquire("me"), failed).epoch();
            tables.fail("me", failed, 0, epoch, Duration.ofSeconds(1));
            FollowedMessage row = reader().fetch(List.of(behind), WIDE).get(0);
            assertThat(row.heldAt()).isEqualTo(1);
            assertThat(reader().holders(List.of(row.stream(), row.stream() + 1)))
                    .containsExactly(new FollowReader.Held(row.stream(), 1));
            tables.database.operator().change(Change.RELEASE, failed.id());
            assertThat(reader().fetch(List.of(behind), WIDE).get(0).heldAt()).isZero();
            assertThat(reader().holders(List.of(row.stream()))).isEmpty();
        }

        @Test
        void are_among_the_rows_of_a_stream_read_which_go_by_seq_whatever_their_state() {
            RowKey failed = tables.publish();
            RowKey delayed = tables.publish(Duration.ofSeconds(5));
            RowKey behind = tables.publish();
            long epoch = tables.lease(tables.acquire("me"), failed).epoch();
            tables.fail("me", failed, 0, epoch, null);
            long id = tables.database.streamId(Tables.STREAM);
            StreamRead.Rows rows = reader().readStreams(List.of(StreamRead.Ask.all(id, 10)), WIDE)
                    .streams()
                    .get(0);
            assertThat(keys(rows.rows())).containsExactly(failed, delayed, behind);
            assertThat(rows.cut()).isFalse();
            assertThat(rows.rows()).allSatisfy(row -> assertThat(row.heldAt()).isZero());
        }
    }

    @Test
    void due_rows_come_by_their_time_and_say_where_the_scan_ended() {
        RowKey later = tables.publish(Duration.ofSeconds(2));
        RowKey sooner = tables.publish(Duration.ofSeconds(1));
        assertThat(page(null, 0, 10).due().rows()).isEmpty();
        tables.pass(Duration.ofSeconds(3));
        assertThat(keys(page(null, 0, 10).due().rows())).containsExactly(sooner, later);
        PageAnswer.DueRows one = page(null, 0, 1).due();
        assertThat(one.ends().get(0).cut()).isTrue();
        assertThat(one.ends().get(0).position().seq()).isEqualTo(sooner.seq());
    }

    @Test
    void a_part_may_be_shorter_than_its_limit_and_says_so() {
        for (int i = 0; i < 5; i++) {
            tables.publish();
        }
        FollowReader mean = tables.database.followReader((topic, only) -> 1, () -> 0.01);
        int lane = tables.lane();
        PageAnswer.Page page = (PageAnswer.Page) mean.read(new PageRequest(
                null, List.of(), List.of(new Range(lane, 0, PLENTY, 5)), 10, Due.NONE, Sweep.NONE, WIDE));
        assertThat(page.ranges().get(0).cut()).isTrue();
        assertThat(page.ranges().get(0).end()).isZero();
    }

    @Test
    void few_ids_make_streams_share_one() {
        SimulatedDatabase database = new SimulatedDatabase(
                new DatabaseShape(Personality.SNAPSHOTS, LaneStore.LANES, 3, Set.of()), () -> 0, DatabaseObserver.NONE);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ids.add(database.streamId(new Stream("", "a", "key " + i)));
        }
        assertThat(Set.copyOf(ids)).hasSize(3);
    }
}
