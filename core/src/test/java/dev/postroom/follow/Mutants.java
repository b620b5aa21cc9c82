package dev.postroom.follow;

import java.util.ArrayList;
import java.util.List;

/** The deliberate errors, by the rule that they break. */
final class Mutants {
    private final List<Mutant> all = new ArrayList<>();

    static List<Mutant> all() {
        Mutants mutants = new Mutants();
        mutants.admission();
        mutants.followers();
        mutants.streams();
        mutants.dueRows();
        mutants.gatesAndProbes();
        mutants.settling();
        return mutants.all;
    }

    /** Those that are found at once. */
    static List<Mutant> quick() {
        return all().subList(0, 3);
    }

    private void add(String name, String file, String from, String to, String scope) {
        add(name, file, from, to, scope, 3_000);
    }

    private void add(String name, String file, String from, String to, String scope, int states) {
        all.add(new Mutant(name, file, from, to, scope, states));
    }

    private void admission() {
        add(
                "a_row_is_taken_though_a_follower_that_it_belongs_to_has_not_reached_it",
                "Track",
                "return joined || !everything",
                "if (false) return joined || !everything",
                "gates");
        add(
                "what_was_just_settled_is_taken_again",
                "Memory",
                "guard != null && (guard.settled",
                "false && (guard.settled",
                "tiny4");
        add(
                "a_holder_in_the_database_is_overlooked",
                "Offer",
                "return ordered && (row.heldAt()",
                "return false && (row.heldAt()",
                "tiny2");
        add(
                "an_earlier_row_that_nobody_knows_is_overlooked",
                "Track",
                "if (earlier.isEmpty() ||",
                "if (true ||",
                "portable");
        add(
                "late_rows_come_after_the_others",
                "Intake",
                "for (FollowedMessage row : page.late()) { offer(row, lanes, Offer.From.LATE); }"
                        + " List<PageAnswer.RangeRows> ranges = page.ranges();",
                "List<PageAnswer.RangeRows> ranges = page.ranges(); for (var rows : ranges) { walk(rows, lanes); }"
                        + " for (var row : page.late()) { offer(row, lanes, Offer.From.LATE); }",
                "latelast");
    }

    private void followers() {
        add("one_that_stops_stops_the_others", "Track", "if ((mine & 1L << (i + 1)) != 0) {", "{", "stops");
        add(
                "late_rows_are_looked_for_below_able_followers_only",
                "Lane",
                "for (Track track : tracks) {\n            highest",
                "for (Track track : tracks) {\n            if (track.destination().isAble()) highest",
                "close");
        add("nobody_goes_back_for_the_lowest_late_row", "Intake", "lane.goBackBefore(lowest.highest());", "", "late");
        add(
                "a_late_row_that_cannot_be_taken_is_passed",
                "Track",
                "} else if (from == Offer.From.LATE) {",
                "} else if (false) {",
                "close");
    }

    private void streams() {
        add(
                "a_gate_forgets_the_streams_that_left_something",
                "Part",
                "|| (ordered && streams.keeps(message.stream(), message.seq()))",
                "",
                "gates");
        add("a_full_set_lets_streams_pass", "Track", "joined = false;", "", "fullset");
        add(
                "a_failing_row_does_not_end_a_stream_read",
                "Intake",
                "state == RowState.WAITING || answer == Offer.Answer.FAILING",
                "state == RowState.WAITING",
                "fail");
        add(
                "a_stream_read_never_takes_its_holder",
                "Intake",
                "(state == RowState.WAITING && !isDue)",
                "state == RowState.WAITING",
                "fail");
        add(
                "a_stream_read_goes_on_behind_a_left_row",
                "BehindStreams",
                "(id, upTo) -> Math.min(upTo, seq - 1)",
                "(id, upTo) -> upTo",
                "racing");
        add(
                "messages_of_two_topics_are_pipelined",
                "StreamQueue",
                "ahead != null && !destination.pipelines(ahead, topic)",
                "ahead != null && !destination.pipelines(topic, topic)",
                "pipeline");
        add(
                "what_comes_back_from_the_wire_overtakes_what_was_left",
                "Track",
                "if (isLeftNow(delivery)) {",
                "if (false) {",
                "pipeline");
    }

    private void dueRows() {
        add(
                "a_due_row_that_is_failing_is_forgotten",
                "Track",
                "missIfDue(offer);\n        return Offer.Answer.FAILING;",
                "return Offer.Answer.FAILING;",
                "retry");
        add(
                "a_due_row_that_is_left_is_forgotten",
                "Track",
                "missIfDue(offer);\n        return Offer.Answer.LEFT;",
                "return Offer.Answer.LEFT;",
                "delaygate");
        add(
                "a_due_row_that_is_refused_is_forgotten",
                "Track",
                "if (!offer.isReady()) {\n            miss(offer.due());\n        } else",
                "if (!offer.isReady()) {\n        } else",
                "delay");
        add(
                "a_delivery_that_is_dropped_is_forgotten",
                "Track",
                "            if (!delivery.message().isReady()) {\n                miss(Due.BEGINNING);\n            }",
                "",
                "delaygate");
        add("a_row_that_waits_by_now_counts_as_ready", "Track", "offer.message().noLongerReady();", "", "failgate2");
        add(
                "a_part_takes_the_missed_mark_along",
                "Track",
                "                part.end();\n            }\n        }\n    }",
                "                part.end();\n                missed = null;\n            }\n        }\n    }",
                "delaygate");
    }

    private void gatesAndProbes() {
        add(
                "what_a_gate_closes_on_stays_in_memory",
                "Traffic",
                "delivery.track().putOff(delivery, gate);\n            } else",
                "} else",
                "failgate");
        add(
                "what_waits_behind_a_probe_fills_the_memory",
                "Track",
                "queue == null ? null : queue.gateBefore(offer.seq())",
                "null",
                "topicprobe1");
        add(
                "a_held_destination_that_has_anything_takes_nothing_to_try_with",
                "Destination",
                "line.size() + onTheWire < share.probes()",
                "count == 0",
                "bothheld");
    }

    private void settling() {
        add(
                "what_was_not_recorded_is_not_looked_for_by_its_due_time",
                "Track",
                "everything.goBackBefore(delivery.seq());\n        miss(Due.BEGINNING);",
                "everything.goBackBefore(delivery.seq());",
                "stale");
        add(
                "a_confirmation_is_lost_with_a_stale_failure",
                "Result",
                "confirmed.forEach(Delivery::handedBack);",
                "confirmed.forEach(delivery -> delivery.track().settled(delivery));",
                "stale");
    }
}
