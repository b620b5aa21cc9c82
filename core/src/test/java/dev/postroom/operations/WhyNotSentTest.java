package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.operations.DeliveryFacts.HeldBy;
import dev.postroom.operations.MessageDetail.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R54")
class WhyNotSentTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final UUID HEAD = UUID.fromString("0190a1b2-0000-7000-8000-000000000001");
    private static final DeliveryFacts FINE = facts(null, null, null, List.of());

    @Test
    void nothing_is_said_about_a_message_that_left() {
        assertThat(why(MessageStatus.PROCESSED, 0, List.of(), null)).isEmpty();
    }

    @Test
    void a_message_that_nothing_holds_is_about_to_go() {
        assertThat(why(MessageStatus.PENDING, 0, List.of(), FINE))
                .containsExactly("Nothing holds it: a relay should send it within a poll interval");
    }

    @Test
    void a_retry_names_its_time_and_the_last_failure() {
        Attempt third = attempt(3, NOW.minusSeconds(12), "connection reset\n  by peer");

        assertThat(why(
                        MessageStatus.SCHEDULED,
                        3,
                        List.of(third, attempt(2, NOW.minusSeconds(60), "other")),
                        facts(NOW.plusSeconds(8), null, null, List.of())))
                .containsExactly("Waits for its retry at 2026-03-01T12:00:08Z, in 8 s (attempt 3 failed at destination"
                        + " 'billing' 12 s ago: connection reset by peer)");
    }

    @Test
    void a_retry_is_explained_even_when_its_attempts_were_purged() {
        assertThat(why(MessageStatus.SCHEDULED, 2, List.of(), facts(NOW.plusSeconds(600), null, null, List.of())))
                .containsExactly(
                        "Waits for its retry at 2026-03-01T12:10:00Z, in 10 min (attempt 2 failed: the last error)");
    }

    @Test
    void a_delayed_message_waits_for_its_delivery_time() {
        assertThat(why(
                        MessageStatus.SCHEDULED,
                        0,
                        List.of(),
                        facts(NOW.plus(Duration.ofDays(3)), null, null, List.of())))
                .containsExactly("Waits for its delivery time at 2026-03-04T12:00:00Z, in 3 d");
    }

    @Test
    void a_time_that_has_come_is_no_reason_to_wait() {
        assertThat(why(MessageStatus.PENDING, 1, List.of(), facts(NOW, null, null, List.of())))
                .containsExactly("Nothing holds it: a relay should send it within a poll interval");
    }

    @Test
    @Tag("R28")
    void a_message_behind_a_dead_one_says_what_to_do_about_that() {
        HeldBy dead = new HeldBy(HEAD, "orders.placed", MessageStatus.DEAD, List.of(), "no such customer", Map.of());

        assertThat(why(MessageStatus.BLOCKED, 0, List.of(), facts(null, null, dead, List.of())))
                .containsExactly(
                        "Blocked behind message " + HEAD
                                + " of its stream (topic 'orders.placed'), which is dead: no such customer; retry, skip or release that one");
    }

    @Test
    @Tag("R28")
    void a_message_behind_a_failing_one_says_that_it_will_be_tried_again() {
        HeldBy failing = new HeldBy(HEAD, "orders.placed", MessageStatus.SCHEDULED, List.of(), null, Map.of());

        assertThat(why(MessageStatus.BLOCKED, 0, List.of(), facts(null, null, failing, List.of())))
                .containsExactly("Blocked behind message " + HEAD
                        + " of its stream (topic 'orders.placed'), which failed and will be tried again; release or"
                        + " skip that one not to wait for it");
    }

    @Test
    @Tag("R22")
    void a_message_behind_one_of_another_topic_names_it_and_where_both_have_to_go() {
        HeldBy earlier = new HeldBy(
                HEAD, "orders.placed", MessageStatus.PENDING, List.of("billing", "warehouse"), null, Map.of());

        assertThat(why(MessageStatus.PENDING, 0, List.of(), facts(null, null, earlier, List.of())))
                .containsExactly("Waits behind message " + HEAD
                        + " of its stream (topic 'orders.placed'), which still has to go to billing, warehouse; look at"
                        + " why that one has not been sent");
    }

    @Test
    @Tag("R22")
    void a_message_whose_destinations_nobody_tells_waits_for_the_earlier_one_all_the_same() {
        HeldBy earlier = new HeldBy(HEAD, "orders.placed", MessageStatus.PENDING, List.of(), null, Map.of());

        assertThat(why(MessageStatus.PENDING, 0, List.of(), facts(null, null, earlier, List.of())))
                .singleElement()
                .asString()
                .contains("which still has to be sent");
    }

    @Test
    void a_topic_without_a_route_is_named() {
        DeliveryFacts unrouted = new DeliveryFacts(NOW, null, null, null, List.of(), "relay-1", false, 1, null, true);

        assertThat(why(MessageStatus.PENDING, 0, List.of(), unrouted))
                .containsExactly("No route matches its topic 'orders': it waits and holds nobody until a relay has a"
                        + " route for it");
    }

    @Test
    @Tag("R36")
    void pauses_name_who_since_when_and_why() {
        List<Pause> pauses = List.of(
                new Pause(Pause.Target.EVERYTHING, NOW.minusSeconds(90), "alice", "broker upgrade"),
                new Pause(Pause.Target.topic("orders"), NOW.minus(Duration.ofHours(3)), "bob", "wrong prices"),
                new Pause(Pause.Target.destination("billing"), NOW, "eve", "night"));

        assertThat(why(MessageStatus.PENDING, 0, List.of(), facts(null, null, null, pauses)))
                .containsExactly(
                        "Everything is paused since 2026-03-01T11:58:30Z (90 s ago) by alice: broker upgrade",
                        "Topic 'orders' is paused since 2026-03-01T09:00:00Z (3 h ago) by bob: wrong prices",
                        "Destination 'billing' is paused since 2026-03-01T12:00:00Z (0 s ago) by eve: night");
    }

    @Test
    void broken_headers_come_first() {
        DeliveryFacts broken = facts(NOW.plusSeconds(5), "the headers are no JSON", null, List.of());

        assertThat(why(MessageStatus.SCHEDULED, 0, List.of(), broken))
                .hasSize(2)
                .first()
                .isEqualTo("It cannot be read: the headers are no JSON");
    }

    @Test
    void without_a_relay_one_is_to_be_started() {
        DeliveryFacts alone = new DeliveryFacts(NOW, null, null, null, List.of(), "gone", true, 0, null, false);

        assertThat(why(MessageStatus.PENDING, 0, List.of(), alone))
                .containsExactly("No relay has reported in the last 30 s: start one");
    }

    @Test
    void a_lane_whose_lease_expired_is_named_with_its_owner() {
        DeliveryFacts expired = new DeliveryFacts(NOW, null, null, null, List.of(), "relay-1", true, 2, null, false);

        assertThat(why(MessageStatus.PENDING, 0, List.of(), expired))
                .containsExactly(
                        "Lane 17 belongs to relay-1, whose lease has expired: another relay should take it over"
                                + " within a lease");
    }

    @Test
    @Tag("R61")
    void a_replay_to_a_destination_that_no_relay_in_force_has_waits_for_one() {
        AbsentDestination absent = new AbsentDestination("audit", NOW.minusSeconds(60));
        DeliveryFacts facts = new DeliveryFacts(NOW, null, null, null, List.of(), "relay-1", false, 1, absent, false);

        assertThat(why(MessageStatus.PENDING, 0, List.of(), facts))
                .containsExactly("Is replayed to a destination that no relay has: destination 'audit' has not been"
                        + " in the routing in force since 2026-03-01T11:59:00Z; start relays whose routes have it, and it goes on,"
                        + " or skip or delete what was replayed");
    }

    @Test
    void a_lane_without_an_owner_is_named() {
        DeliveryFacts free = new DeliveryFacts(NOW, null, null, null, List.of(), null, false, 2, null, false);

        assertThat(why(MessageStatus.PENDING, 0, List.of(), free))
                .containsExactly("Lane 17 belongs to no relay yet: one of the 2 running should take it within seconds");
    }

    @Test
    @Tag("R27")
    void a_dead_letter_is_nothing_but_dead() {
        assertThat(why(MessageStatus.DEAD, 10, List.of(), facts(null, null, null, List.of())))
                .containsExactly(
                        "It is a dead letter (TIMEOUT): the last error; no relay sends it until somebody retries it");
    }

    @Test
    void a_message_on_the_wire_is_being_sent() {
        assertThat(why(MessageStatus.IN_FLIGHT, 0, List.of(), FINE))
                .containsExactly("It is being sent right now: the destination has not confirmed it yet");
    }

    @Test
    void a_long_error_is_cut_off() {
        HeldBy dead = new HeldBy(HEAD, "orders.placed", MessageStatus.DEAD, List.of(), "x".repeat(5_000), Map.of());

        assertThat(why(MessageStatus.BLOCKED, 0, List.of(), facts(null, null, dead, List.of())))
                .singleElement()
                .asString()
                .contains("x".repeat(200) + "…;")
                .hasSizeLessThan(400);
    }

    private static DeliveryFacts facts(Instant due, String defect, HeldBy heldBy, List<Pause> pauses) {
        return new DeliveryFacts(NOW, due, defect, heldBy, pauses, "relay-1", false, 1, null, false);
    }

    private static Attempt attempt(int number, Instant at, String error) {
        return new Attempt(number, at, FailureReason.TIMEOUT, error, "billing", "relay-1");
    }

    private static List<String> why(MessageStatus status, int attempts, List<Attempt> made, DeliveryFacts facts) {
        MessageItem item = new MessageItem(
                UUID.randomUUID(),
                7,
                new Stream("", "orders", "42"),
                null,
                status,
                attempts,
                NOW.minusSeconds(300),
                null,
                null,
                FailureReason.TIMEOUT,
                "the last error");
        return new MessageDetail(
                        item,
                        17,
                        "application/json",
                        null,
                        Map.of(),
                        new byte[0],
                        0,
                        null,
                        "the last error",
                        0,
                        List.of(),
                        false,
                        made,
                        facts)
                .whyNotSent();
    }
}
