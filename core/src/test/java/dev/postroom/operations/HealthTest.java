package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.operations.Health.Code;
import dev.postroom.operations.Health.Status;
import dev.postroom.operations.HealthThresholds.Limit;
import dev.postroom.operations.RelayReport.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("R51")
class HealthTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final HealthThresholds LIMITS = new HealthThresholds(
            new Limit<>(100L, 1_000L),
            new Limit<>(Duration.ofMinutes(5), Duration.ofHours(1)),
            new Limit<>(0.1, 0.5),
            new Limit<>(Duration.ofMinutes(5), Duration.ofMinutes(15)));

    private static Stats stats(long backlog, double oldestAgeSeconds) {
        return new Stats(backlog, true, 0, 0, 0, 0, 7, 0, oldestAgeSeconds, 0, 1, null, null);
    }

    private static NodeItem failing(long delivered, long failed) {
        RelayReport.Minute minute = new RelayReport.Minute(delivered, failed, null, null, null);
        return node(
                true,
                new RelayReport(
                        0,
                        List.of(),
                        delivered,
                        failed,
                        minute,
                        0,
                        0,
                        RelayReport.Recording.FINE,
                        RelayReport.Reading.FINE,
                        null,
                        null,
                        Map.of()));
    }

    private static RelayReport report(double send, double stall, Held... held) {
        return new RelayReport(
                0,
                List.of(held),
                0,
                0,
                RelayReport.Minute.NOTHING,
                send,
                stall,
                RelayReport.Recording.FINE,
                RelayReport.Reading.FINE,
                null,
                null,
                Map.of());
    }

    private static NodeItem reading(double troubleSeconds) {
        return told(RelayReport.Recording.FINE, new RelayReport.Reading(troubleSeconds, "permission denied"));
    }

    private static NodeItem recording(long setAside, double troubleSeconds) {
        return told(
                new RelayReport.Recording(setAside, "check violated", troubleSeconds, "permission denied"),
                RelayReport.Reading.FINE);
    }

    private static NodeItem told(RelayReport.Recording recording, RelayReport.Reading reading) {
        return node(
                true,
                new RelayReport(
                        0,
                        List.of(),
                        0,
                        0,
                        RelayReport.Minute.NOTHING,
                        0,
                        0,
                        recording,
                        reading,
                        null,
                        null,
                        Map.of()));
    }

    private static NodeItem node(boolean alive, RelayReport report) {
        return new NodeItem("relay-1", "host", "1", NOW.minusSeconds(900), NOW, alive, 64, "{}", "", report);
    }

    private static LaneItem lane(int lane, Duration expiredFor) {
        return new LaneItem(lane, "relay-0", 1, NOW.minus(expiredFor));
    }

    private static Health.Facts facts(Stats stats, NodeItem node, LaneItem... lanes) {
        return new Health.Facts(stats, List.of(node), List.of(lanes));
    }

    private static NodeItem fine() {
        return node(true, report(0, 0));
    }

    static Stream<Arguments> thresholds() {
        Stats calm = stats(0, 0);
        Duration live = Duration.ofSeconds(-10);
        return Stream.of(
                Arguments.of("nothing to do", facts(calm, fine()), Status.UP, null),
                Arguments.of("below every limit", facts(stats(99, 299), failing(91, 9)), Status.UP, null),
                Arguments.of("backlog", facts(stats(100, 0), fine()), Status.DEGRADED, Code.BACKLOG),
                Arguments.of("huge backlog", facts(stats(1_000, 0), fine()), Status.DOWN, Code.BACKLOG),
                Arguments.of("old", facts(stats(1, 300), fine()), Status.DEGRADED, Code.OLDEST_AGE),
                Arguments.of("too old", facts(stats(1, 3_600), fine()), Status.DOWN, Code.OLDEST_AGE),
                Arguments.of("failures", facts(calm, failing(90, 10)), Status.DEGRADED, Code.FAILED_RATIO),
                Arguments.of("failures mostly", facts(calm, failing(50, 50)), Status.DOWN, Code.FAILED_RATIO),
                Arguments.of("one failure in a quiet minute", facts(calm, failing(0, 9)), Status.UP, null),
                Arguments.of(
                        "no relay, nothing waits",
                        facts(calm, node(false, report(0, 0))),
                        Status.DEGRADED,
                        Code.NO_RELAY),
                Arguments.of(
                        "no relay, messages wait",
                        facts(stats(1, 0), node(false, report(0, 0))),
                        Status.DOWN,
                        Code.NO_RELAY),
                Arguments.of(
                        "breaker",
                        facts(calm, node(true, report(0, 0, new Held("breaker", "billing", null, null, "refused")))),
                        Status.DEGRADED,
                        Code.BREAKER_OPEN),
                Arguments.of(
                        "a breaker of a relay that is gone",
                        new Health.Facts(
                                calm,
                                List.of(fine(), node(false, report(0, 0, new Held("breaker", "b", null, null, "x")))),
                                List.of()),
                        Status.UP,
                        null),
                Arguments.of(
                        "no route",
                        facts(calm, node(true, report(0, 0, new Held("no_route", null, "orders", null, "no route")))),
                        Status.DEGRADED,
                        Code.NO_ROUTE),
                Arguments.of(
                        "a replay's destination is gone",
                        facts(
                                calm,
                                node(
                                        true,
                                        report(0, 0, new Held("no_route", "audit", "orders", null, "not in force")))),
                        Status.DEGRADED,
                        Code.NO_ROUTE),
                Arguments.of(
                        "a pause is what somebody wants",
                        facts(
                                calm,
                                node(true, report(0, 0, new Held("pause", "billing", null, null, "paused by ada")))),
                        Status.UP,
                        null),
                Arguments.of("a send takes long", facts(calm, node(true, report(299, 0))), Status.UP, null),
                Arguments.of("a send is stuck", facts(calm, node(true, report(300, 0))), Status.DEGRADED, Code.STUCK),
                Arguments.of("a lane is stuck", facts(calm, node(true, report(0, 900))), Status.DOWN, Code.STUCK),
                Arguments.of(
                        "an outcome is set aside", facts(calm, recording(1, 0)), Status.DEGRADED, Code.SETTLE_REFUSED),
                Arguments.of("a deadlock", facts(calm, recording(0, 4.9)), Status.UP, null),
                Arguments.of("nothing is recorded", facts(calm, recording(0, 5)), Status.DEGRADED, Code.SETTLE_REFUSED),
                Arguments.of("nothing for long", facts(calm, recording(0, 900)), Status.DOWN, Code.SETTLE_REFUSED),
                Arguments.of("a read failed", facts(calm, reading(4.9)), Status.UP, null),
                Arguments.of("nothing is read", facts(calm, reading(5)), Status.DEGRADED, Code.DATABASE),
                Arguments.of("nothing is read for long", facts(calm, reading(900)), Status.DOWN, Code.DATABASE),
                Arguments.of(
                        "of a relay that is gone",
                        new Health.Facts(
                                calm,
                                List.of(fine(), node(false, recording(1, 900).report())),
                                List.of()),
                        Status.UP,
                        null),
                Arguments.of("lanes are owned", facts(calm, fine(), lane(1, live)), Status.UP, null),
                Arguments.of(
                        "a lane expired a moment ago",
                        facts(calm, fine(), lane(1, Duration.ofSeconds(20))),
                        Status.UP,
                        null),
                Arguments.of(
                        "a lane that nobody takes over",
                        facts(calm, fine(), lane(1, Duration.ofMinutes(5)), lane(2, live)),
                        Status.DEGRADED,
                        Code.LANES_EXPIRED),
                Arguments.of(
                        "for long",
                        facts(calm, fine(), lane(1, Duration.ofMinutes(15))),
                        Status.DOWN,
                        Code.LANES_EXPIRED));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("thresholds")
    void status_follows_the_thresholds(String what, Health.Facts facts, Status status, Code code) {
        Health health = Health.of(facts, LIMITS);
        assertThat(health.status()).as(what).isEqualTo(status);
        if (code == null) {
            assertThat(health.reasons()).isEmpty();
        } else {
            assertThat(health.reasons()).extracting(Health.Reason::code).containsExactly(code);
            assertThat(health.reasons().get(0).text()).isNotBlank();
            assertThat(health.reasons().get(0).action()).isNotBlank();
        }
    }

    @Test
    void worst_reason_comes_first_and_decides() {
        Health health = Health.of(facts(stats(100, 3_600), failing(90, 10)), LIMITS);
        assertThat(health.status()).isEqualTo(Status.DOWN);
        assertThat(health.reasons())
                .extracting(Health.Reason::code)
                .containsExactly(Code.OLDEST_AGE, Code.BACKLOG, Code.FAILED_RATIO);
        assertThat(health.reasons().get(0).text()).isEqualTo("the oldest message has waited 60 min (limit 60 min)");
    }

    @Test
    void what_the_caller_knows_better_is_left_out() {
        Health health = Health.of(facts(stats(1, 0), node(false, report(0, 0))), LIMITS);
        assertThat(health.without(Code.NO_RELAY)).isEqualTo(new Health(Status.UP, List.of()));
    }

    @Test
    void many_held_topics_are_counted_rather_than_listed() {
        Held[] held = new Held[20];
        for (int i = 0; i < held.length; i++) {
            held[i] = new Held("no_route", null, "topic-" + i, null, "no route");
        }
        Health health = Health.of(facts(stats(0, 0), node(true, report(0, 0, held))), LIMITS);
        assertThat(health.reasons().get(0).text()).contains("topic topic-4 and 15 more");
    }

    @Test
    void thresholds_in_the_wrong_order_are_refused_by_their_names() {
        assertThatThrownBy(() -> new HealthThresholds(
                        new Limit<>(10L, 5L), LIMITS.oldestAge(), LIMITS.failedRatio(), LIMITS.stuckAfter()))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("postroom.health.backlog.degraded");
    }

    @Test
    @Tag("R61")
    void relay_that_stands_by_is_named_with_the_one_whose_routes_are_in_force() {
        RelayReport report = new RelayReport(
                0,
                List.of(),
                0,
                0,
                RelayReport.Minute.NOTHING,
                0,
                0,
                RelayReport.Recording.FINE,
                RelayReport.Reading.FINE,
                "relay-2",
                null,
                Map.of());
        Health health = Health.of(facts(stats(0, 0), node(true, report)), LIMITS);
        assertThat(health.status()).isEqualTo(Health.Status.DEGRADED);
        assertThat(health.reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo(Health.Code.ROUTING_DIFFERS);
            assertThat(reason.text()).contains("relay-1 stands by", "relay-2");
            assertThat(reason.action()).contains("doctor");
        });
        Health.Facts gone = new Health.Facts(stats(0, 0), List.of(fine(), node(false, report)), List.of());
        assertThat(Health.of(gone, LIMITS).reasons()).isEmpty();
    }

    @Test
    @Tag("R60")
    void relay_that_began_anew_is_named_with_the_reason() {
        RelayReport.Restart restart = new RelayReport.Restart(3, 12, "java.lang.AssertionError: a bug");
        RelayReport report = new RelayReport(
                0,
                List.of(),
                0,
                0,
                RelayReport.Minute.NOTHING,
                0,
                0,
                RelayReport.Recording.FINE,
                RelayReport.Reading.FINE,
                null,
                restart,
                Map.of());
        Health health = Health.of(new Health.Facts(stats(0, 0), List.of(node(true, report)), List.of()), LIMITS);
        Health.Facts gone = new Health.Facts(stats(0, 0), List.of(fine(), node(false, report)), List.of());
        assertThat(Health.of(gone, LIMITS).reasons())
                .as("of one that is not there any more")
                .isEmpty();
        assertThat(health.status()).isEqualTo(Health.Status.DEGRADED);
        assertThat(health.reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo(Health.Code.RELAY_RESTARTED);
            assertThat(reason.text())
                    .isEqualTo("relay relay-1 failed 12 s ago (3 times in a row) and begins anew by itself:"
                            + " java.lang.AssertionError: a bug");
        });
    }
}
