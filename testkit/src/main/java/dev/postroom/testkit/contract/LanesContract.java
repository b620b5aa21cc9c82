package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.LaneStore.Lane;
import dev.postroom.spi.LaneStore.Lease;
import dev.postroom.spi.LaneStore.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lane belongs to one relay at a time, until when by the database's clock. */
@Tag("R21")
@Tag("I5")
public abstract class LanesContract extends StoreContract {
    private static final Duration LEASE = Duration.ofMinutes(5);

    @Test
    void there_are_sixty_four_free_lanes_at_first() {
        List<Lane> lanes = lanes().lanes();
        assertThat(lanes).extracting(Lane::lane).containsExactlyElementsOf(ALL_LANES);
        assertThat(lanes).allSatisfy(lane -> {
            assertThat(lane.owner()).isNull();
            assertThat(lane.expired()).isFalse();
        });
    }

    @Test
    void free_lanes_are_taken_with_a_higher_epoch() {
        LaneStore lanes = lanes();
        List<Lease> first = lanes.acquire("a", List.of(3, 1, 63), LEASE);
        assertThat(first).extracting(Lease::lane).containsExactlyInAnyOrder(1, 3, 63);
        assertThat(first).noneMatch(Lease::tookOver);
        assertThat(lanes.lanes()).filteredOn(lane -> "a".equals(lane.owner())).hasSize(3);

        Lease one = lease(first, 1);
        lanes.release("a", List.of(one));
        Lease again = lease(lanes.acquire("b", List.of(1), LEASE), 1);
        assertThat(again.epoch()).isGreaterThan(one.epoch());
        assertThat(again.tookOver()).isFalse();
    }

    @Test
    void what_another_holds_is_left_alone() {
        lanes().acquire("a", List.of(1, 2), LEASE);
        List<Lease> others = lanes().acquire("b", List.of(1, 2, 3), LEASE);
        assertThat(others).extracting(Lease::lane).containsExactly(3);
        assertThat(owner(1)).isEqualTo("a");
    }

    @Test
    @Tag("R31")
    void an_expired_lane_is_taken_over() {
        Lease lost = lanes().acquire("a", List.of(1), LEASE).get(0);
        expire();
        assertThat(lanes().lanes().get(1).expired()).isTrue();
        Lease taken = lease(lanes().acquire("b", List.of(1), LEASE), 1);
        assertThat(taken.epoch()).isGreaterThan(lost.epoch());
        assertThat(taken.tookOver()).isTrue();
        assertThat(lanes().renew("a", LEASE)).isEmpty();
        assertThat(owner(1)).isEqualTo("b");
        assertThat(lanes().lanes().get(1).expired()).isFalse();
    }

    @Test
    void renewing_prolongs_what_is_still_held() {
        LaneStore lanes = lanes();
        List<Lease> taken = lanes.acquire("a", List.of(1, 2), LEASE);
        lanes.acquire("b", List.of(3), LEASE);
        String before = until(1);
        List<Lease> renewed = lanes.renew("a", Duration.ofMinutes(50));
        assertThat(renewed).extracting(Lease::lane).containsExactlyInAnyOrder(1, 2);
        assertThat(lease(renewed, 1).epoch()).isEqualTo(lease(taken, 1).epoch());
        assertThat(until(1)).isGreaterThan(before);
        assertThat(lanes.renew("nobody", LEASE)).isEmpty();
    }

    @Test
    @Tag("R31")
    void a_lease_counts_from_now_on_the_databases_clock() {
        lanes().acquire("a", List.of(1), Duration.ofMillis(1));
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> lanes().lanes().get(1).expired());
        lanes().acquire("a", List.of(2), Duration.ofDays(1));
        execute("UPDATE postroom_lane SET lease_until = lease_until - interval '23' hour WHERE lane = 2");
        assertThat(lanes().lanes().get(2).expired()).isFalse();
        execute("UPDATE postroom_lane SET lease_until = lease_until - interval '61' minute WHERE lane = 2");
        assertThat(lanes().lanes().get(2).expired()).isTrue();
    }

    @Test
    @Tag("R35")
    void released_lanes_are_free_at_once_and_only_the_owners_own_are_released() {
        LaneStore lanes = lanes();
        List<Lease> mine = lanes.acquire("a", List.of(1, 2), LEASE);
        lanes.release("b", mine);
        assertThat(owner(1)).isEqualTo("a");
        Lease older = new Lease(1, lease(mine, 1).epoch() - 1, false, 0, 0);
        lanes.release("a", List.of(older));
        assertThat(owner(1)).as("released with another epoch").isEqualTo("a");
        lanes.release("a", mine);
        assertThat(owner(1)).isNull();
        assertThat(lanes.acquire("b", List.of(1, 2), LEASE)).hasSize(2).noneMatch(Lease::tookOver);
        lanes.release("a", mine);
        assertThat(owner(1)).isEqualTo("b");
        lanes.release("a", List.of());
    }

    @Test
    @Tag("R30")
    void whoever_takes_over_learns_what_was_reserved() {
        LaneStore lanes = lanes();
        List<Lease> mine = lanes.acquire("a", List.of(1, 2), LEASE);
        List<Lease> reserved = lanes.reserve(
                "a",
                List.of(
                        new Reservation(1, lease(mine, 1).epoch(), 100, 200),
                        new Reservation(2, lease(mine, 2).epoch() + 7, 100, 200),
                        new Reservation(3, 1, 100, 200)));
        assertThat(reserved).extracting(Lease::lane).containsExactly(1);
        assertThat(lanes.reserve("b", List.of(new Reservation(1, lease(mine, 1).epoch(), 5, 6))))
                .isEmpty();
        expire();
        List<Lease> taken = lanes().acquire("b", List.of(1, 2), LEASE);
        assertThat(lease(taken, 1).tookOver()).isTrue();
        assertThat(lease(taken, 1).suspectFrom()).isEqualTo(100);
        assertThat(lease(taken, 1).suspectTo()).isEqualTo(200);
        assertThat(lease(taken, 2).suspectTo()).isZero();
    }

    @Test
    @Tag("R30")
    void a_lane_given_back_leaves_nothing_to_suspect() {
        LaneStore lanes = lanes();
        Lease mine = lanes.acquire("a", List.of(1), LEASE).get(0);
        lanes.reserve("a", List.of(new Reservation(1, mine.epoch(), 100, 200)));
        lanes.release("a", List.of(mine));
        Lease others = lease(lanes.acquire("b", List.of(1), LEASE), 1);
        assertThat(others.tookOver()).isFalse();
        assertThat(List.of(others.suspectFrom(), others.suspectTo())).containsOnly(0L);
        // What counts when the answer to the acquisition was lost, and the lane is found at the next renewal.
        assertThat(lanes.renew("b", LEASE)).containsExactly(others);
    }

    @Test
    void an_owner_that_finds_its_own_lane_expired_takes_it_with_a_new_epoch() {
        LaneStore lanes = lanes();
        Lease old = lanes.acquire("a", List.of(1), LEASE).get(0);
        expire();
        assertThat(lanes.acquire("a", List.of(1), LEASE)).singleElement().satisfies(lease -> {
            assertThat(lease.epoch()).isGreaterThan(old.epoch());
            assertThat(lease.tookOver()).as("it did not die").isFalse();
        });
    }

    @Test
    void relays_that_race_for_all_lanes_never_both_own_one() throws Exception {
        int relays = 4;
        Map<Long, String> ownerOfEpoch = new ConcurrentHashMap<>();
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(relays);
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < relays; i++) {
                String owner = "relay " + i;
                LaneStore lanes = lanes();
                Random random = new Random(i);
                results.add(background.run(() -> {
                    int taken = 0;
                    for (int round = 0; round < 15; round++) {
                        together.await(30, SECONDS);
                        List<Integer> wanted = new ArrayList<>(ALL_LANES);
                        java.util.Collections.shuffle(wanted, random);
                        List<Lease> leases = lanes.acquire(owner, wanted, LEASE);
                        for (Lease lease : leases) {
                            String other = ownerOfEpoch.put(lease.epoch() * 64 + lease.lane(), owner);
                            assertThat(other).as("lane %s", lease).isNull();
                        }
                        taken += leases.size();
                        assertThat(lanes.renew(owner, LEASE))
                                .extracting(Lease::lane)
                                .containsExactlyInAnyOrderElementsOf(
                                        leases.stream().map(Lease::lane).toList());
                        together.await(30, SECONDS);
                        lanes.release(owner, leases);
                    }
                    return taken;
                }));
            }
            int all = 0;
            for (Future<Integer> result : results) {
                all += result.get(90, SECONDS);
            }
            assertThat(all).isEqualTo(15 * LaneStore.LANES);
        }
    }

    private LaneStore lanes() {
        return store.closing(store.store().openLanes());
    }

    private void expire() {
        execute("UPDATE postroom_lane SET lease_until = lease_until - interval '1' hour WHERE owner IS NOT NULL");
    }

    private @org.jspecify.annotations.Nullable String owner(int lane) {
        return value("SELECT owner FROM postroom_lane WHERE lane = ?", lane);
    }

    private String until(int lane) {
        return String.valueOf(value("SELECT lease_until FROM postroom_lane WHERE lane = ?", lane));
    }

    private static Lease lease(List<Lease> leases, int lane) {
        return leases.stream().filter(lease -> lease.lane() == lane).findFirst().orElseThrow();
    }
}
