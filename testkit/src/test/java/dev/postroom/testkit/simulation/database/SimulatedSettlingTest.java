package dev.postroom.testkit.simulation.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.Change;
import dev.postroom.operations.Pause;
import dev.postroom.spi.LaneStore.Lane;
import dev.postroom.spi.LaneStore.Lease;
import dev.postroom.spi.LaneStore.Reservation;
import dev.postroom.spi.MessageSettler.Suspect;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulated database fences and shares out as the contracts of real ones say. */
@Tag("R21")
class SimulatedSettlingTest {
    private final Tables tables = new Tables(Personality.SNAPSHOTS);

    @Test
    @Tag("I8")
    void a_failure_over_an_older_version_is_stale() {
        RowKey key = tables.publish();
        long epoch = tables.lease(tables.acquire("a"), key).epoch();
        assertThat(tables.fail("a", key, 0, epoch, Duration.ZERO).stale()).isEmpty();
        tables.database.operator().change(Change.RETRY, key.id());
        assertThat(tables.fail("a", key, 1, epoch, null).stale()).containsExactly(key.id());
        assertThat(tables.database.find(key)).satisfies(row -> {
            assertThat(row.state()).isEqualTo(RowState.WAITING);
            assertThat(row.attempts()).isZero();
        });
        assertThat(tables.fail("a", key, 2, epoch, null).stale()).isEmpty();
    }

    @Test
    @Tag("I5")
    void an_expired_lane_is_taken_over_and_its_former_owner_fenced() {
        RowKey key = tables.publish();
        Lease first = tables.lease(tables.acquire("a"), key);
        tables.database.lanes().reserve("a", List.of(new Reservation(key.lane(), first.epoch(), 1, 9)));
        assertThat(tables.acquire("b")).isEmpty();
        tables.pass(Tables.LEASE);
        Lease second = tables.lease(tables.acquire("b"), key);
        assertThat(second.tookOver()).isTrue();
        assertThat(second.suspectTo()).isEqualTo(9);
        assertThat(tables.database.lanes().renew("a", Tables.LEASE)).isEmpty();
        assertThat(tables.fail("a", key, 0, first.epoch(), null).stale()).hasSize(1);
        assertThat(tables.database.settler().suspect("a", List.of(new Suspect(key, 0, first.epoch(), 1))))
                .isEmpty();
        assertThat(tables.database.settler().suspect("b", List.of(new Suspect(key, 0, second.epoch(), 1))))
                .hasSize(1);
        assertThat(tables.succeed("a", key, 1, 1).left()).isEqualTo(1);
    }

    @Test
    void a_renewal_changes_the_mark() {
        tables.acquire("a");
        Lane before = tables.database.lanes().lanes().get(5);
        tables.pass(Duration.ofSeconds(1));
        tables.database.lanes().renew("a", Tables.LEASE);
        Lane after = tables.database.lanes().lanes().get(5);
        assertThat(after.leaseMark()).isNotEqualTo(before.leaseMark());
        assertThat(after.epoch()).isEqualTo(before.epoch());
    }

    @Test
    @Tag("R29")
    void destinations_are_merged_until_the_route_is_covered() {
        RowKey key = tables.publish();
        assertThat(tables.succeed("a", key, 1, 3).left()).isZero();
        assertThat(tables.succeed("b", key, 1, 3).left()).isZero();
        assertThat(tables.succeed("b", key, 2, 3).left()).isEqualTo(1);
        assertThat(tables.succeed("b", key, 2, 3).left()).isZero();
        assertThat(tables.database.find(key)).isNull();
    }

    @Test
    @Tag("R54")
    void operators_change_what_fits() {
        RowKey key = tables.publish();
        SimulatedOperator operator = tables.database.operator();
        assertThat(operator.change(Change.RETRY, key.id())).isFalse();
        assertThat(operator.change(Change.DELETE, key.id())).isFalse();
        assertThat(operator.change(Change.DEAD_LETTER, key.id())).isTrue();
        assertThat(operator.releaseStream(Tables.STREAM)).isEqualTo(1);
        assertThat(operator.change(Change.DELETE, key.id())).isTrue();
        assertThat(operator.change(Change.SKIP, key.id())).isFalse();
        assertThat(operator.change(Change.SKIP, tables.publish().id())).isTrue();
        operator.pause(Pause.Target.EVERYTHING);
        operator.pause(Pause.Target.EVERYTHING);
        assertThat(operator.pauses()).hasSize(1);
        assertThat(operator.resume(Pause.Target.EVERYTHING)).isTrue();
        assertThat(operator.pauses()).isEmpty();
    }

    @Test
    void broken_on_purpose_nothing_is_fenced() {
        Tables broken = new Tables(Personality.SNAPSHOTS, DatabaseDefect.NO_FENCE);
        RowKey key = broken.publish();
        assertThat(broken.fail("nobody", key, 9, 9, null).stale()).isEmpty();
    }
}
