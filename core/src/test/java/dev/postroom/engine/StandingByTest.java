package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.policy.Route;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.LaneStore.Lane;
import dev.postroom.spi.LaneStore.Lease;
import dev.postroom.spi.LaneStore.LiveNode;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay does whose routes are not in force, or not yet. */
@Tag("R61")
class StandingByTest {
    private static final Instant LATELY = Instant.parse("2026-03-01T00:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DELAY = Duration.ofSeconds(30);

    private final HandFedEngine engine = new HandFedEngine();

    private LiveNode me(Duration age) {
        return new LiveNode(HandFedEngine.ME, "host", 0, engine.routing, LATELY, age.compareTo(DELAY) >= 0);
    }

    private static LiveNode newer(Duration age) {
        return new LiveNode("newer", "host", 0, "n", LATELY.plusSeconds(1), age.compareTo(DELAY) >= 0);
    }

    private static LiveNode older(Duration age) {
        return new LiveNode("older", "host", 0, "o", LATELY.minusSeconds(1), age.compareTo(DELAY) >= 0);
    }

    private static List<Lane> lanes(int count, boolean expired) {
        return IntStream.range(0, count)
                .mapToObj(lane -> new Lane(lane, expired ? "newer" : null, 1, expired ? "m" : null, expired, 0, 0))
                .toList();
    }

    private static List<Lease> leases(int count) {
        return IntStream.range(0, count)
                .mapToObj(lane -> new Lease(lane, 1, false, 0, 0))
                .toList();
    }

    private void beat(List<Lease> held, List<Lane> lanes, LiveNode... nodes) {
        if (!engine.wants(Command.Beat.class)) {
            engine.tick(HandFedEngine.LEASE.dividedBy(3));
        }
        engine.answer(Command.Beat.class, new Event.Beaten(held, lanes, List.of(nodes)));
    }

    private List<Integer> released() {
        for (int i = 0; i < 50 && !engine.wants(Command.Settle.class); i++) {
            engine.tick(Duration.ofMillis(5));
        }
        return engine.take(Command.Settle.class).batch().releases().stream()
                .map(Lease::lane)
                .toList();
    }

    @Test
    void first_relay_takes_lanes_at_once() {
        beat(List.of(), lanes(2, false), me(Duration.ZERO));
        assertThat(engine.take(Command.Acquire.class).lanes()).hasSize(2);
    }

    @Test
    void new_routes_wait_until_their_relay_has_lived_for_the_delay() {
        beat(List.of(), lanes(2, false), me(Duration.ofSeconds(29)), older(HOUR));
        assertThat(engine.wants(Command.Acquire.class)).isFalse();
        beat(List.of(), lanes(2, false), me(Duration.ofSeconds(30)), older(HOUR));
        assertThat(engine.take(Command.Acquire.class).lanes()).hasSize(2);
        assertThat(engine.heard).containsSubsequence("stands by for older", "is in force");
    }

    @Test
    void lanes_are_given_back_when_newer_routes_are_in_force() {
        engine.owning(List.of(0, 1));
        beat(leases(2), List.of(), me(HOUR), newer(Duration.ofSeconds(30)));
        assertThat(released()).containsExactly(0, 1);
        assertThat(engine.wants(Command.Acquire.class)).isFalse();
    }

    @Test
    void topic_without_a_route_is_held_no_more_when_a_whole_sweep_has_met_none_of_it() {
        HandFedEngine narrow = new HandFedEngine(settings -> {
            settings.routes = List.of(Route.of("a", "a"), Route.of("b", "b"));
            return settings;
        });
        narrow.owning(List.of(1));
        narrow.read(HandFedEngine.row(1, 1, "nowhere", null));
        assertThat(narrow.heard).containsExactly("nowhere has no route");
        narrow.remove(HandFedEngine.row(1, 1, "nowhere", null));
        for (int second = 0; second < 60; second++) {
            narrow.tick(Duration.ofSeconds(1));
            narrow.renew(1);
            narrow.answerReads();
        }
        assertThat(narrow.heard).containsExactly("nowhere has no route", "nowhere is held no more");
    }

    @Test
    void topic_without_a_route_is_held_no_more_by_a_relay_that_has_no_lanes() {
        HandFedEngine narrow = new HandFedEngine(settings -> {
            settings.routes = List.of(Route.of("a", "a"), Route.of("b", "b"));
            return settings;
        });
        narrow.owning(List.of(0, 1));
        narrow.read(HandFedEngine.row(1, 1, "nowhere", null));
        narrow.tick(HandFedEngine.LEASE.dividedBy(3));
        narrow.answer(Command.Beat.class, new Event.Beaten(leases(2), List.of(), List.of()));
        assertThat(narrow.heard).containsExactly("nowhere has no route");
        narrow.tick(HandFedEngine.LEASE.dividedBy(3));
        narrow.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of()));
        assertThat(narrow.heard).containsExactly("nowhere has no route", "nowhere is held no more");
    }

    @Test
    @Tag("R37")
    void replay_to_a_destination_that_is_not_in_the_routing_is_held_for_itself_and_says_so() {
        engine.owning(List.of(0, 1));
        engine.read(HandFedEngine.row(1, 1, "t", null, replayTo("rolled-back")), HandFedEngine.row(1, 2, "t", null));
        engine.reserve();
        assertThat(engine.sent()).as("the topic has a route").hasSize(1);
        engine.tick(HandFedEngine.LEASE.dividedBy(3));
        assertThat(engine.take(Command.Beat.class).report().details())
                .contains("{\"cause\":\"no_route\",\"destination\":\"rolled-back\",\"topic\":\"t\",\"why\":"
                        + "\"a replay's destination 'rolled-back' is not in the routing in force\"}");
        assertThat(engine.heard).containsExactly("held rolled-back t");
    }

    private static StoredMessage.Progress replayTo(String destination) {
        return new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, destination, 0);
    }

    @Test
    void lanes_are_kept_while_newer_routes_are_not_in_force_yet() {
        engine.owning(List.of(0, 1));
        beat(leases(2), List.of(), me(HOUR), newer(Duration.ofSeconds(29)));
        engine.tick(Duration.ofMillis(500));
        assertThat(engine.wants(Command.Settle.class)).isFalse();
    }

    @Test
    void a_lane_that_turns_out_to_be_ours_is_given_back_as_well() {
        beat(leases(2), List.of(), me(HOUR), newer(HOUR));
        assertThat(released()).containsExactly(0, 1);
    }

    /** A report is written before the look that it goes with: without another one it would be untrue for a third of a lease. */
    @Test
    void others_are_told_at_once_that_it_stands_by_or_does_no_more() {
        beat(List.of(), List.of(), me(HOUR), newer(HOUR));
        assertThat(reportedAtOnce(me(HOUR), newer(HOUR))).contains("\"standsByFor\":\"newer\"");
        beat(List.of(), List.of(), me(HOUR));
        assertThat(reportedAtOnce(me(HOUR))).doesNotContain("standsByFor");
        assertThat(engine.wants(Command.Beat.class))
                .as("nothing has changed since")
                .isFalse();
    }

    /** Or relays with leases of different lengths would not agree on who is in force while one has died. */
    @Test
    void others_live_as_long_as_their_own_leases_say() {
        engine.tick(HandFedEngine.LEASE.dividedBy(3));
        assertThat(engine.take(Command.Beat.class).liveWithin()).isZero();
    }

    private String reportedAtOnce(LiveNode... nodes) {
        return engine.answer(Command.Beat.class, new Event.Beaten(List.of(), List.of(), List.of(nodes)))
                .report()
                .details();
    }

    @Test
    void it_takes_over_when_the_last_newer_one_is_gone() {
        beat(List.of(), lanes(2, false), me(HOUR), newer(HOUR));
        assertThat(engine.wants(Command.Acquire.class)).isFalse();
        beat(List.of(), lanes(2, false), me(HOUR));
        assertThat(engine.take(Command.Acquire.class).lanes()).hasSize(2);
    }

    @Test
    @Tag("R21")
    void lanes_are_shared_among_those_in_force_only() {
        beat(List.of(), lanes(LaneStore.LANES, false), me(HOUR), older(HOUR));
        assertThat(engine.take(Command.Acquire.class).lanes()).hasSize(LaneStore.LANES);
    }

    @Test
    void who_could_not_look_for_a_lease_does_not_take_lanes_that_nobody_could_renew() {
        beat(List.of(), lanes(2, true), me(HOUR), newer(HOUR));
        engine.tick(HandFedEngine.LEASE.multipliedBy(3));
        engine.answer(Command.Beat.class, new Event.KeeperFailed("down"));
        beat(List.of(), lanes(2, true), me(HOUR));
        assertThat(engine.wants(Command.Acquire.class)).isFalse();
        for (int i = 0; i < 5 && !engine.wants(Command.Acquire.class); i++) {
            beat(List.of(), lanes(2, true), me(HOUR));
        }
        assertThat(engine.take(Command.Acquire.class).lanes()).hasSize(2);
    }

    /** By then other routes may be in force: what a look has found counts for as long as its renewals are trusted. */
    @Test
    void what_an_old_look_found_free_is_not_taken_when_the_next_look_fails() {
        engine.tick(HandFedEngine.LEASE);
        beat(List.of(), lanes(2, false), me(HOUR));
        engine.answer(Command.Beat.class, new Event.KeeperFailed("down"));
        assertThat(engine.wants(Command.Acquire.class)).isFalse();
        beat(List.of(), lanes(2, false), me(HOUR));
        assertThat(engine.take(Command.Acquire.class).lanes()).hasSize(2);
    }
}
