package dev.postroom.follow;

import static dev.postroom.follow.LaneFixture.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.engine.Credit;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tenants take turns at a destination, and none keeps others out of its memory. */
@Tag("R38")
class TenantTurnsTest {
    @Nested
    class In_line {
        private final LaneFixture lane = new LaneFixture();

        private List<String> order() {
            List<String> tenants = new ArrayList<>();
            Delivery next;
            while ((next = lane.d().line().poll()) != null) {
                tenants.add(next.message().tenant());
            }
            return tenants;
        }

        @Test
        void a_tenants_few_messages_do_not_wait_for_anothers_many() {
            LaneFixture.Row[] rows = new LaneFixture.Row[42];
            for (int i = 0; i < 40; i++) {
                rows[i] = row(i + 1, null, "a").ofTenant("flood");
            }
            rows[40] = row(41, null, "a").ofTenant("shop");
            rows[41] = row(42, null, "a").ofTenant("shop");
            lane.read(42, rows);

            assertThat(order().subList(0, 6)).filteredOn("shop"::equals).hasSize(2);
        }

        private void comes(String tenant, int from, int messages, int bytes) {
            LaneFixture.Row[] rows = IntStream.range(from, from + messages)
                    .mapToObj(seq -> row(seq, null, "a").ofTenant(tenant).ofBytes(bytes))
                    .toArray(LaneFixture.Row[]::new);
            lane.read(from + messages - 1, rows);
        }

        private long of(String tenant, List<String> order) {
            return order.stream().filter(tenant::equals).count();
        }

        @Test
        void a_tenant_of_large_messages_gets_no_more_bytes_than_another_of_small_ones() {
            comes("large", 1, 8, 16_000);
            comes("small", 11, 80, 0);
            assertThat(of("large", order().subList(0, 40))).isBetween(2L, 4L);
        }

        @Test
        void a_huge_message_is_not_paid_for_over_minutes() {
            LaneFixture roomy = new LaneFixture(new Destination.Share(1_000, 100_000_000, 64, Integer.MAX_VALUE, 8, 8));
            LaneFixture.Row[] rows = IntStream.rangeClosed(1, 200)
                    .mapToObj(seq -> row(seq, null, "a").ofTenant("small"))
                    .toArray(LaneFixture.Row[]::new);
            rows[0] = row(1, null, "a").ofTenant("huge").ofBytes(10_000_000);
            rows[1] = row(2, null, "a").ofTenant("huge");
            roomy.read(200, rows);
            List<Long> first = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                first.add(Objects.requireNonNull(roomy.d().line().poll()).seq());
            }
            assertThat(first).contains(1L, 2L);
        }

        @Test
        void a_tenant_that_was_alone_owes_nothing_to_those_who_come() {
            comes("first", 1, 60, 0);
            for (int i = 0; i < 50; i++) {
                lane.d().line().poll();
            }
            comes("second", 61, 30, 0);
            assertThat(of("first", order().subList(0, 16))).isBetween(6L, 10L);
        }

        @Test
        void tenants_take_turns_from_the_end_as_well() {
            comes("first", 1, 3, 0);
            comes("second", 4, 3, 0);
            List<Long> last = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                last.add(Objects.requireNonNull(lane.d().line().pollLast()).seq());
            }
            assertThat(last).containsExactly(3L, 6L, 2L, 5L);
        }

        @Test
        void one_tenants_messages_keep_their_order() {
            lane.read(3, row(1, null, "a"), row(2, null, "a"), row(3, null, "a"));
            assertThat(List.of(next(), next(), next())).containsExactly(1L, 2L, 3L);
        }

        private long next() {
            return Objects.requireNonNull(lane.d().line().poll()).seq();
        }

        @Test
        void what_leaves_is_passed_over() {
            lane.read(3, row(1, null, "a"), row(2, null, "a"), row(3, null, "a"));
            lane.d().line().remove(lane.delivery(2, lane.d()));
            assertThat(List.of(next(), next())).containsExactly(1L, 3L);
            assertThat(lane.d().line().poll()).isNull();
            assertThat(lane.d().line().size()).isZero();
        }
    }

    @Nested
    class A_tenant_is_put_off {
        private static final long SECOND = Duration.ofSeconds(1).toNanos();

        private final Crowd crowd = new Crowd();

        @Test
        void when_the_memory_was_crowded_for_a_while() {
            crowd.observe(true, 0);
            assertThat(crowd.putsOff()).isFalse();
            crowd.observe(true, SECOND);
            assertThat(crowd.putsOff()).isTrue();
            crowd.observe(false, SECOND);
            assertThat(crowd.putsOff()).isFalse();
        }

        @Test
        void not_when_the_destination_is_so_fast_that_nobody_waits_for_long() {
            crowd.observe(true, 0);
            for (int i = 0; i < 20_000; i++) {
                crowd.confirmed();
            }
            crowd.observe(true, SECOND);
            assertThat(crowd.putsOff()).isFalse();
        }

        @Test
        void again_only_after_another_while_in_which_it_confirmed_little() {
            crowd.observe(true, 0);
            crowd.observe(true, SECOND / 2);
            assertThat(crowd.putsOff()).isFalse();
            for (int i = 0; i < 40_000; i++) {
                crowd.confirmed();
            }
            crowd.observe(true, SECOND);
            crowd.observe(true, 2 * SECOND);
            assertThat(crowd.putsOff()).isTrue();
            crowd.observe(false, 2 * SECOND);
            crowd.observe(true, 3 * SECOND);
            assertThat(crowd.putsOff()).as("it begins anew").isFalse();
        }

        @Test
        void and_others_have_a_quarter_more_to_come_in() {
            LaneFixture lane = new LaneFixture(new Destination.Share(4, 1_000_000, 4, 2, 2, 8));
            lane.read(60, ofSixTenants());
            assertThat(lane.has(lane.d())).containsExactly(10L, 20L, 30L, 40L, 50L);
        }

        @Test
        void and_others_have_a_quarter_more_of_the_bytes() {
            LaneFixture any = new LaneFixture();
            any.read(10, row(10, null, "a").ofTenant("T1"));
            LaneFixture lane = new LaneFixture(
                    new Destination.Share(100, 4L * any.message(10).weight(), 100, 2, 2, 8));
            lane.read(60, ofSixTenants());
            assertThat(lane.has(lane.d())).containsExactly(10L, 20L, 30L, 40L, 50L);
        }

        private static LaneFixture.Row[] ofSixTenants() {
            return IntStream.rangeClosed(1, 6)
                    .mapToObj(i -> row(10L * i, null, "a").ofTenant("T" + i))
                    .toArray(LaneFixture.Row[]::new);
        }

        @Test
        void and_others_come_in_from_behind_its_messages() {
            LaneFixture lane = new LaneFixture(new Destination.Share(6, 1_000_000, 6, 2, 2, 2));
            lane.read(
                    50,
                    row(10, null, "a").ofTenant("flood"),
                    row(20, null, "a").ofTenant("flood"),
                    row(30, null, "a").ofTenant("flood"),
                    row(40, null, "a").ofTenant("flood"),
                    row(50, null, "a").ofTenant("shop"));
            assertThat(lane.has(lane.d())).containsExactly(10L, 20L, 50L);

            lane.deliver(10, lane.d());
            lane.page()
                    .range(
                            20,
                            50,
                            row(30, null, "a").ofTenant("flood"),
                            row(40, null, "a").ofTenant("flood"))
                    .comes();
            assertThat(lane.has(lane.d())).containsExactly(20L, 30L, 50L);
        }

        @Test
        void and_what_comes_back_from_the_wire_takes_no_other_tenants_stream_of_its_id_along() {
            LaneFixture lane = new LaneFixture(new Destination.Share(100, 1_000_000, 100, 2, 8, 8));
            LaneFixture.Row others = row(20, "K", "a").ofTenant("flood");
            LaneFixture.Row first = row(10, "dK", "a").ofTenant("floo");
            assertThat(others.stream()).isEqualTo(first.stream());
            lane.read(30, first, others, row(30, "dK", "a").ofTenant("floo"));
            lane.send(10, lane.d());
            lane.page().due(row(5, null, "a").ofTenant("floo").waiting(0)).comes();

            lane.answers(10, lane.d(), Outcome.unavailable("gone"));
            assertThat(lane.has(lane.d())).containsExactly(20L);
            assertThat(lane.sendable(lane.d())).containsExactly(20L);
        }
    }

    @Nested
    class A_destination_is_crowded {
        private static final long SECOND = Duration.ofSeconds(1).toNanos();

        private final LaneFixture lane = new LaneFixture();
        private final Crowd crowd = new Crowd();
        private final Destination there = new Destination(
                "there",
                1,
                new Destination.Share(8, 1_000_000, 8, 4, 8, 8),
                new Breaker(Duration.ofSeconds(1), () -> 0),
                new FailureRuns(0),
                Credit.UNLIMITED,
                Destination.Pipeline.NONE,
                crowd,
                new StreamBudget(100));

        private void takes(int messages) {
            for (int seq = 1; seq <= messages; seq++) {
                lane.read(seq, row(seq, null, "a"));
                there.took(lane.delivery(seq, lane.d()));
            }
        }

        private void gives(long seq) {
            lane.d().line().remove(lane.delivery(seq, lane.d()));
            there.letGo(lane.delivery(seq, lane.d()));
        }

        private void forAWhile() {
            there.observe(0);
            there.observe(SECOND);
        }

        @Test
        void when_more_than_six_eighths_of_its_memory_are_taken() {
            takes(6);
            forAWhile();
            assertThat(crowd.putsOff()).isFalse();

            lane.read(7, row(7, null, "a"));
            there.took(lane.delivery(7, lane.d()));
            forAWhile();
            assertThat(crowd.putsOff()).isTrue();
        }

        @Test
        void until_no_more_than_three_eighths_are_taken() {
            takes(7);
            forAWhile();
            for (long seq = 1; seq <= 3; seq++) {
                gives(seq);
            }
            there.observe(SECOND);
            assertThat(crowd.putsOff()).isTrue();

            gives(4);
            there.observe(SECOND);
            assertThat(crowd.putsOff()).isFalse();
        }

        @Test
        void not_while_an_operator_keeps_it_from_draining() {
            takes(7);
            there.pause("somebody");
            forAWhile();
            assertThat(crowd.putsOff()).isFalse();
        }

        @Test
        void not_by_what_a_held_type_keeps_to_be_tried() {
            Breaker breaker = new Breaker(Duration.ofSeconds(1), () -> 0);
            breaker.open((Outcome.Failed) Outcome.topicUnavailable("404"), false, 0);
            there.gate(Gate.Kind.TYPE, "a", breaker);
            takes(7);
            forAWhile();
            assertThat(crowd.putsOff()).isFalse();
        }

        @Test
        void not_when_it_confirms_so_much_that_nobody_waits_for_long() {
            takes(7);
            there.observe(0);
            for (int i = 0; i < 20_000; i++) {
                there.noteConfirmed(lane.message(1));
            }
            there.observe(SECOND);
            assertThat(crowd.putsOff()).isFalse();
        }
    }
}
