package dev.postroom.testkit.simulation.database;

import static dev.postroom.testkit.simulation.database.Tables.keys;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.Change;
import dev.postroom.spi.MessageReader.DuePosition;
import dev.postroom.spi.MessageReader.DueRequest;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.ReadRequest;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulated database reads as the contracts of real ones say. */
@Tag("R33")
class SimulatedReadingTest {

    @Nested
    class With_snapshots {
        private final Tables tables = new Tables(Personality.SNAPSHOTS);

        @Test
        void a_row_that_commits_behind_the_cursor_comes_with_the_next_read() {
            WriterTransaction slow = tables.database.begin();
            RowKey late = tables.insert(slow);
            RowKey early = tables.publish();
            assertThat(keys(tables.read(0, 10).rows())).containsExactly(early);
            slow.commit();
            assertThat(keys(tables.read(early.seq(), 10).rows())).containsExactly(late);
            assertThat(tables.read(early.seq(), 10).rows()).isEmpty();
        }

        @Test
        void a_transaction_younger_than_the_snapshots_end_is_late_too() {
            WriterTransaction first = tables.database.begin();
            WriterTransaction second = tables.database.begin();
            RowKey late = tables.insert(second);
            RowKey early = tables.insert(first);
            first.commit();
            assertThat(keys(tables.read(0, 10).rows())).containsExactly(early);
            second.commit();
            assertThat(keys(tables.read(early.seq(), 0).rows())).containsExactly(late);
        }

        @Test
        void what_is_rolled_back_never_comes() {
            WriterTransaction slow = tables.database.begin();
            int savepoint = slow.savepoint();
            tables.insert(slow);
            slow.rollbackTo(savepoint);
            RowKey kept = tables.insert(slow);
            WriterTransaction other = tables.database.begin();
            tables.insert(other);
            other.rollback();
            slow.commit();
            assertThat(keys(tables.read(0, 10).rows())).containsExactly(kept);
            assertThat(tables.database.openTransactions()).isZero();
        }

        @Test
        void broken_on_purpose_late_rows_never_come() {
            Tables broken = new Tables(Personality.SNAPSHOTS, DatabaseDefect.NO_LATE_ROWS);
            WriterTransaction slow = broken.database.begin();
            broken.insert(slow);
            RowKey early = broken.publish();
            broken.read(0, 10);
            slow.commit();
            assertThat(broken.read(early.seq(), 10).rows()).isEmpty();
        }
    }

    @Nested
    class Portably {
        private final Tables tables = new Tables(Personality.PORTABLE);

        @Test
        void keys_behind_the_cursor_come_page_by_page_and_round_again() {
            List<RowKey> all = new ArrayList<>();
            for (int i = 0; i < PassedRule.PAGE + 5; i++) {
                all.add(tables.publish());
            }
            long cursor = all.get(all.size() - 1).seq();
            assertThat(tables.read(cursor, 10).passed()).isEqualTo(all.subList(0, PassedRule.PAGE));
            assertThat(tables.read(cursor, 10).passed()).isEqualTo(all.subList(PassedRule.PAGE, all.size()));
            assertThat(tables.read(cursor, 10).passed()).isEqualTo(all.subList(0, PassedRule.PAGE));
        }

        @Test
        void a_row_points_at_the_nearest_earlier_ready_one_of_its_stream() {
            RowKey first = tables.publish();
            RowKey second = tables.publish();
            List<StoredMessage> rows = tables.read(0, 10).rows();
            assertThat(rows).extracting(row -> row.hold().earlierSeq()).containsExactly(-1L, first.seq());
            assertThat(tables.database
                            .reader()
                            .fetchReady(first.lane(), List.of(first.seq(), second.seq()), RowLimits.ofPayload(100)))
                    .hasSize(2);
        }
    }

    @Nested
    class Either_way {
        private final Tables tables = new Tables(Personality.SNAPSHOTS);

        @Test
        void a_lane_is_read_up_to_its_limit_and_horizon() {
            RowKey first = tables.publish();
            RowKey second = tables.publish();
            RowKey third = tables.publish();
            assertThat(keys(tables.read(0, 2).rows())).containsExactly(first, second);
            LanePosition upToSecond = new LanePosition(first.lane(), first.seq(), second.seq(), 10);
            assertThat(keys(tables.database
                            .reader()
                            .read(new ReadRequest(null, List.of(upToSecond), RowLimits.ofPayload(100)))
                            .rows()))
                    .containsExactly(second);
            assertThat(keys(tables.read(second.seq(), 2).rows())).containsExactly(third);
        }

        @Test
        void a_cursor_beyond_the_last_number_means_to_begin_anew() {
            tables.publish();
            assertThat(tables.read(1_000, 10).restart()).isTrue();
        }

        @Test
        void a_delayed_row_is_due_by_the_databases_clock() {
            RowKey delayed = tables.publish(Duration.ofSeconds(10));
            assertThat(tables.read(0, 10).rows()).isEmpty();
            assertThat(due(null, 0)).isEmpty();
            tables.database.clock().jump(Duration.ofSeconds(10));
            List<StoredMessage> found = due(null, 0);
            assertThat(keys(found)).containsExactly(delayed);
            assertThat(due(found.get(0), delayed.seq())).isEmpty();
        }

        @Test
        void a_row_behind_a_failed_one_is_held_until_that_is_released() {
            RowKey failed = tables.publish();
            RowKey behind = tables.publish();
            long epoch = tables.lease(tables.acquire("a"), failed).epoch();
            tables.fail("a", failed, 0, epoch, null);
            assertThat(tables.read(0, 10).rows()).singleElement().satisfies(row -> {
                assertThat(row.key()).isEqualTo(behind);
                assertThat(row.hold().held()).isTrue();
            });
            assertThat(tables.database.reader().holders(Tables.STREAM, 10))
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.state()).isEqualTo(RowState.DEAD));
            tables.database.operator().change(Change.RELEASE, failed.id());
            assertThat(tables.read(0, 10).rows())
                    .allSatisfy(row -> assertThat(row.hold().held()).isFalse());
        }

        @Test
        void a_payload_above_the_limit_is_a_defect() {
            RowKey key = tables.publish();
            assertThat(tables.database.reader().fetch(List.of(key), RowLimits.ofPayload(9)))
                    .singleElement()
                    .satisfies(row -> assertThat(row.defect()).contains("10"));
        }

        @Test
        void streams_are_spread_over_all_lanes_in_use() {
            Set<Integer> lanes = new HashSet<>();
            for (int i = 0; i < 2_000; i++) {
                lanes.add(tables.database.laneOf(
                        new dev.postroom.Stream("", "orders", "key " + i), new java.util.UUID(0, 0)));
            }
            assertThat(lanes).hasSize(64);
        }

        private List<StoredMessage> due(StoredMessage after, long seq) {
            List<DuePosition> lanes = Tables.ALL_LANES.stream()
                    .map(lane -> new DuePosition(lane, after == null ? null : after.due(), seq))
                    .toList();
            return tables.database.reader().readDue(new DueRequest(lanes, 10, RowLimits.ofPayload(100)));
        }
    }
}
