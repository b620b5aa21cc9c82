package dev.postroom.operations;

import dev.postroom.operations.DeliveryFacts.HeldBy;
import dev.postroom.operations.MessageDetail.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says why a message has not been sent, for somebody who was woken up by it. Pure. */
final class WhyNotSent {
    /** Nobody reads more of an error here; the detail has it whole. */
    private static final int LONGEST_ERROR = 200;

    private WhyNotSent() {}

    /** The most important first; one sentence at least for a live message, none once it left. */
    static List<String> explain(MessageDetail message) {
        DeliveryFacts facts = message.facts();
        if (facts == null) {
            return List.of();
        }
        if (message.item().status() == MessageStatus.DEAD) {
            return List.of(dead(message));
        }
        if (message.item().status() == MessageStatus.IN_FLIGHT) {
            return List.of("It is being sent right now: the destination has not confirmed it yet");
        }
        List<String> why = new ArrayList<>();
        addIfAny(why, broken(facts));
        facts.pauses().forEach(pause -> why.add(paused(pause, facts.now())));
        addIfAny(why, waits(message, facts));
        addIfAny(why, absent(facts));
        addIfAny(why, unrouted(message, facts));
        addIfAny(why, blocked(facts));
        addIfAny(why, withoutRelay(message.lane(), facts));
        if (why.isEmpty()) {
            why.add("Nothing holds it: a relay should send it within a poll interval");
        }
        return List.copyOf(why);
    }

    private static void addIfAny(List<String> why, @Nullable String sentence) {
        if (sentence != null) {
            why.add(sentence);
        }
    }

    private static String dead(MessageDetail message) {
        String reason = message.item().reason() == null
                ? "a dead letter"
                : "a dead letter (" + message.item().reason() + ")";
        return "It is " + reason + and(message.error()) + "; no relay sends it until somebody retries it";
    }

    private static @Nullable String broken(DeliveryFacts facts) {
        return facts.defect() == null ? null : "It cannot be read: " + facts.defect();
    }

    private static String paused(Pause pause, Instant now) {
        String what;
        if (pause.target().destination() != null) {
            what = "Destination '" + pause.target().destination() + "' is paused";
        } else if (pause.target().topic() != null) {
            what = "Topic '" + pause.target().topic() + "' is paused";
        } else {
            what = "Everything is paused";
        }
        return what + " since " + seconds(pause.since()) + " (" + ago(pause.since(), now) + ") by " + pause.by() + ": "
                + pause.reason();
    }

    private static @Nullable String waits(MessageDetail message, DeliveryFacts facts) {
        Instant due = facts.due();
        if (due == null || !due.isAfter(facts.now())) {
            return null;
        }
        String when = seconds(due) + ", in " + age(Duration.between(facts.now(), due));
        if (message.item().attempts() == 0) {
            return "Waits for its delivery time at " + when;
        }
        return "Waits for its retry at " + when + " (" + lastAttempt(message, facts.now()) + ")";
    }

    private static String lastAttempt(MessageDetail message, Instant now) {
        if (message.attempts().isEmpty()) {
            return "attempt " + message.item().attempts() + " failed" + and(message.error());
        }
        Attempt last = message.attempts().get(0);
        String where = last.destination() == null ? "" : " at destination '" + last.destination() + "'";
        return "attempt " + last.attempt() + " failed" + where + " " + ago(last.at(), now) + and(last.error());
    }

    private static @Nullable String absent(DeliveryFacts facts) {
        AbsentDestination absent = facts.absent();
        return absent == null
                ? null
                : "Is replayed to a destination that no relay has: " + absent.text() + "; " + AbsentDestination.ADVICE;
    }

    private static @Nullable String unrouted(MessageDetail message, DeliveryFacts facts) {
        return facts.unrouted()
                ? "No route matches its topic '" + message.item().stream().topic()
                        + "': it waits and holds nobody until a relay has a route for it"
                : null;
    }

    private static @Nullable String blocked(DeliveryFacts facts) {
        HeldBy head = facts.heldBy();
        if (head == null) {
            return null;
        }
        String which = " behind message " + head.id() + " of its stream (topic '" + head.topic() + "'), which ";
        if (head.status() == MessageStatus.PENDING) {
            String where =
                    head.destinations().isEmpty() ? "be sent" : "go to " + String.join(", ", head.destinations());
            return "Waits" + which + "still has to " + where + "; look at why that one has not been sent";
        }
        if (head.status() == MessageStatus.DEAD) {
            return "Blocked" + which + "is dead" + and(head.error()) + "; retry, skip or release that one";
        }
        return "Blocked" + which + "failed and will be tried again" + and(head.error())
                + "; release or skip that one not to wait for it";
    }

    private static @Nullable String withoutRelay(int lane, DeliveryFacts facts) {
        if (facts.liveRelays() == 0) {
            return "No relay has reported in the last " + age(DeliveryFacts.RELAY_SILENCE) + ": start one";
        }
        if (facts.laneOwner() == null) {
            return "Lane " + lane + " belongs to no relay yet: one of the " + facts.liveRelays()
                    + " running should take it within seconds";
        }
        if (facts.laneExpired()) {
            return "Lane " + lane + " belongs to " + facts.laneOwner()
                    + ", whose lease has expired: another relay should take it over within a lease";
        }
        return null;
    }

    private static String and(@Nullable String error) {
        if (error == null || error.isBlank()) {
            return "";
        }
        String line = error.strip().replaceAll("\\s+", " ");
        return ": " + (line.length() <= LONGEST_ERROR ? line : line.substring(0, LONGEST_ERROR) + "…");
    }

    private static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String ago(Instant then, Instant now) {
        return age(Duration.between(then, now)) + " ago";
    }

    /** In one unit that a person can take in: 12 s, 5 min, 3 h, 2 d. */
    private static String age(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 120) {
            return seconds + " s";
        }
        if (seconds < 2 * 3600) {
            return seconds / 60 + " min";
        }
        return seconds < 2 * 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
    }
}
