package dev.postroom.operations;

import dev.postroom.operations.RelayReport.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether messages get through, and if not, why and what to do. Pure: the same facts give the same answer in REST, in
 * Spring's health and to the doctor.
 *
 * @param status the worst of the reasons, UP when there is none
 * @param reasons the worst first
 */
public record Health(Status status, List<Reason> reasons) {
    private static final int MOST_NAMED = 5;
    private static final int FEWEST_OUTCOMES = 10;
    /** In seconds; a deadlock or a new connection takes less. */
    private static final int SHORTEST_TROUBLE = 5;

    /** From good to bad. */
    public enum Status {
        UP,
        DEGRADED,
        DOWN
    }

    /** What is checked. */
    public enum Code {
        DATABASE,
        NO_RELAY,
        OLDEST_AGE,
        BACKLOG,
        FAILED_RATIO,
        BREAKER_OPEN,
        NO_ROUTE,
        STUCK,
        LANES_EXPIRED,
        SETTLE_REFUSED,
        RELAY_RESTARTED,
        ROUTING_DIFFERS
    }

    /**
     * Something that is wrong.
     *
     * @param text what was found, with the limit
     * @param action what to do about it
     * @param link the part of the admin page that shows more: {@code destinations}, {@code relays}, {@code messages} …
     */
    public record Reason(Code code, Status status, String text, String action, String link) {}

    /** What is known. */
    public record Facts(Stats stats, List<NodeItem> nodes, List<LaneItem> lanes) {}

    public static Health of(Facts facts, HealthThresholds thresholds) {
        List<Reason> reasons = new ArrayList<>();
        relays(facts, reasons);
        oldestAge(facts, thresholds, reasons);
        backlog(facts, thresholds, reasons);
        failedRatio(facts, thresholds, reasons);
        breakers(facts, reasons);
        routes(facts, reasons);
        stuck(facts, thresholds, reasons);
        lanes(facts, thresholds, reasons);
        recording(facts, thresholds, reasons);
        reading(facts, thresholds, reasons);
        restarts(facts, reasons);
        routings(facts, reasons);
        return of(reasons);
    }

    /** Nothing is known, because the database did not answer. */
    public static Health withoutDatabase(String error) {
        return of(List.of(new Reason(
                Code.DATABASE,
                Status.DOWN,
                "the database cannot be asked: " + error,
                "check that it runs and can be reached; messages in it are safe",
                "database")));
    }

    /** This relay began anew lately, or is about to, because a part of it failed. */
    public static Reason restarted(String relay, RelayReport.Restart restart) {
        String times = restart.times() == 1 ? "" : " (" + restart.times() + " times in a row)";
        return new Reason(
                Code.RELAY_RESTARTED,
                Status.DEGRADED,
                relay + " failed " + shown(Duration.ofMillis((long) (restart.secondsAgo() * 1000))) + " ago" + times
                        + " and begins anew by itself: " + restart.why(),
                "its log has the stack trace at OUTBOX_WORKER_CRASH: please report it; messages are safe, some may be"
                        + " delivered twice",
                "relays");
    }

    /** The same, with one thing more that the caller knows. */
    public Health with(Reason reason) {
        List<Reason> more = new ArrayList<>(reasons);
        more.add(reason);
        return of(more);
    }

    /** The same, but for one thing that the caller knows better. */
    public Health without(Code code) {
        return of(reasons.stream().filter(reason -> reason.code() != code).toList());
    }

    private static Health of(List<Reason> reasons) {
        List<Reason> worstFirst = reasons.stream()
                .sorted(Comparator.comparing(Reason::status).reversed())
                .toList();
        return new Health(worstFirst.isEmpty() ? Status.UP : worstFirst.get(0).status(), worstFirst);
    }

    private static void relays(Facts facts, List<Reason> reasons) {
        if (facts.nodes().stream().noneMatch(NodeItem::alive)) {
            long waiting = facts.stats().backlog();
            reasons.add(new Reason(
                    Code.NO_RELAY,
                    waiting > 0 ? Status.DOWN : Status.DEGRADED,
                    "no relay has reported in the last " + DeliveryFacts.RELAY_SILENCE.toSeconds() + " s"
                            + (waiting > 0 ? ", and " + waiting + " messages wait" : "; nothing waits"),
                    "start one: './postroom serve', or the relay in your application; its log says what it misses",
                    "relays"));
        }
    }

    private static void oldestAge(Facts facts, HealthThresholds thresholds, List<Reason> reasons) {
        Duration age = Duration.ofMillis((long) (facts.stats().oldestAgeSeconds() * 1000));
        Status status = thresholds.oldestAge().status(age);
        if (status != Status.UP) {
            reasons.add(new Reason(
                    Code.OLDEST_AGE,
                    status,
                    "the oldest message has waited " + shown(age) + " (limit "
                            + shown(thresholds.oldestAge().exceeded(status)) + ")",
                    "look at it: it says why it has not been sent; then at blocked streams and destinations",
                    "messages"));
        }
    }

    private static void backlog(Facts facts, HealthThresholds thresholds, List<Reason> reasons) {
        Status status = thresholds.backlog().status(facts.stats().backlog());
        if (status != Status.UP) {
            reasons.add(new Reason(
                    Code.BACKLOG,
                    status,
                    (facts.stats().backlogIsExact() ? "" : "about ")
                            + facts.stats().backlog() + " messages wait (limit "
                            + thresholds.backlog().exceeded(status) + ")",
                    "see whether it shrinks; if not, look for what is held, or start another relay",
                    "overview"));
        }
    }

    /** Ratios below ten outcomes are ignored: one failure in a quiet minute would be all of them. */
    private static void failedRatio(Facts facts, HealthThresholds thresholds, List<Reason> reasons) {
        RecentRates rates = RecentRates.of(facts.nodes());
        if (rates == null || rates.outcomes() < FEWEST_OUTCOMES) {
            return;
        }
        double ratio = rates.failureRatio();
        Status status = thresholds.failedRatio().status(ratio);
        if (status != Status.UP) {
            reasons.add(new Reason(
                    Code.FAILED_RATIO,
                    status,
                    String.format(
                            Locale.ROOT,
                            "%.0f %% of the attempts of the last minute failed (limit %.0f %%)",
                            ratio * 100,
                            thresholds.failedRatio().exceeded(status) * 100),
                    "look at the failures: those alike are in one group, with the error",
                    "failures"));
        }
    }

    /** The same destination may be held by several relays: it is told once. */
    private static void breakers(Facts facts, List<Reason> reasons) {
        Map<String, Held> open = held(facts, Held.BREAKER);
        if (!open.isEmpty()) {
            Held first = open.values().iterator().next();
            reasons.add(new Reason(
                    Code.BREAKER_OPEN,
                    Status.DEGRADED,
                    named(open) + " is held: " + first.why(),
                    "bring the destination back: it is tried again by itself, or at once when an operator resumes it; nothing is"
                            + " lost or spent meanwhile",
                    "destinations"));
        }
    }

    private static void routes(Facts facts, List<Reason> reasons) {
        Map<String, Held> unrouted = held(facts, Held.NO_ROUTE);
        Map<String, Held> absent = new LinkedHashMap<>(unrouted);
        absent.values().removeIf(held -> held.destination() == null);
        unrouted.keySet().removeAll(absent.keySet());
        if (!absent.isEmpty()) {
            reasons.add(new Reason(
                    Code.NO_ROUTE,
                    Status.DEGRADED,
                    "replays to " + named(absent) + " wait, because the routing in force does not have the destination",
                    AbsentDestination.ADVICE + " ('postroom doctor' says since when)",
                    "destinations"));
        }
        if (!unrouted.isEmpty()) {
            reasons.add(new Reason(
                    Code.NO_ROUTE,
                    Status.DEGRADED,
                    "messages of " + named(unrouted) + " are held, because no route matches",
                    "add a route for it and restart the relay; they are sent then",
                    "destinations"));
        }
    }

    private static void stuck(Facts facts, HealthThresholds thresholds, List<Reason> reasons) {
        for (NodeItem node : facts.nodes()) {
            if (node.alive()) {
                RelayReport report = node.report();
                add(
                        reasons,
                        thresholds,
                        report.longestSendSeconds(),
                        "a message has been on its way from relay " + node.node(),
                        "see what its destination does; restart the relay if it does not answer at all");
                add(
                        reasons,
                        thresholds,
                        report.longestStallSeconds(),
                        "a lane of relay " + node.node() + " has messages to send and sends none, since",
                        "restart this relay; others take over its lanes");
            }
        }
    }

    private static void recording(Facts facts, HealthThresholds thresholds, List<Reason> reasons) {
        for (NodeItem node : facts.nodes()) {
            RelayReport.Recording recording = node.report().recording();
            if (!node.alive()) {
                continue;
            }
            if (recording.setAside() > 0) {
                reasons.add(new Reason(
                        Code.SETTLE_REFUSED,
                        Status.DEGRADED,
                        "the database refuses to record what became of " + recording.setAside()
                                + " messages, which relay " + node.node() + " remembers: " + recording.setAsideWhy(),
                        "find what refuses them (a constraint, a trigger, a value out of range) and correct it: they are"
                                + " tried again by themselves, and may be sent again when this relay ends before",
                        "relays"));
            }
            if (recording.troubleSeconds() >= SHORTEST_TROUBLE) {
                Status status =
                        thresholds.stuckAfter().status(Duration.ofMillis((long) (recording.troubleSeconds() * 1000)));
                reasons.add(new Reason(
                        Code.SETTLE_REFUSED,
                        status == Status.UP ? Status.DEGRADED : status,
                        "relay " + node.node() + " could not record what became of messages for "
                                + shown(Duration.ofSeconds((long) recording.troubleSeconds()))
                                + ", and sends none until it can: " + recording.trouble(),
                        "see to what the database says; the relay goes on by itself, and nothing is lost or spent meanwhile",
                        "database"));
            }
        }
    }

    private static void reading(Facts facts, HealthThresholds thresholds, List<Reason> reasons) {
        for (NodeItem node : facts.nodes()) {
            RelayReport.Reading reading = node.report().reading();
            if (node.alive() && reading.troubleSeconds() >= SHORTEST_TROUBLE) {
                Duration time = Duration.ofMillis((long) (reading.troubleSeconds() * 1000));
                Status status = thresholds.stuckAfter().status(time);
                reasons.add(new Reason(
                        Code.DATABASE,
                        status == Status.UP ? Status.DEGRADED : status,
                        "relay " + node.node() + " could not read from the database for " + shown(time) + ": "
                                + reading.trouble(),
                        "see to what the database says; the relay goes on by itself, and nothing is lost meanwhile",
                        "database"));
            }
        }
    }

    private static void add(
            List<Reason> reasons, HealthThresholds thresholds, double seconds, String what, String action) {
        Duration time = Duration.ofMillis((long) (seconds * 1000));
        Status status = thresholds.stuckAfter().status(time);
        if (status != Status.UP
                && reasons.stream().filter(r -> r.code() == Code.STUCK).count() < MOST_NAMED) {
            String limit = " (limit " + shown(thresholds.stuckAfter().exceeded(status)) + ")";
            reasons.add(new Reason(Code.STUCK, status, what + " for " + shown(time) + limit, action, "relays"));
        }
    }

    /**
     * A relay takes an expired lane over within a lease; one that is expired for long has nobody. The latest report of a
     * relay is the time by the database's clock, whatever this machine's says.
     */
    private static void lanes(Facts facts, HealthThresholds thresholds, List<Reason> reasons) {
        Instant now = facts.nodes().stream()
                .filter(NodeItem::alive)
                .map(NodeItem::lastSeen)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
        Duration longest = Duration.ZERO;
        int count = 0;
        for (LaneItem lane : facts.lanes()) {
            Instant until = lane.leaseUntil();
            if (until == null || !until.isBefore(now)) {
                continue;
            }
            Duration since = Duration.between(until, now);
            if (thresholds.stuckAfter().status(since) != Status.UP) {
                longest = since.compareTo(longest) > 0 ? since : longest;
                count++;
            }
        }
        if (count > 0) {
            reasons.add(new Reason(
                    Code.LANES_EXPIRED,
                    thresholds.stuckAfter().status(longest),
                    count + " of " + facts.lanes().size() + " lanes belong to a relay that stopped renewing them "
                            + shown(longest) + " ago, and no other took them over",
                    "restart a relay: its log says why it does not take them",
                    "relays"));
        }
    }

    private static void restarts(Facts facts, List<Reason> reasons) {
        int named = 0;
        for (NodeItem node : facts.nodes()) {
            RelayReport.Restart restart = node.report().restart();
            if (node.alive() && restart != null && named < MOST_NAMED) {
                named++;
                reasons.add(restarted("relay " + node.node(), restart));
            }
        }
    }

    /** Deployments pass through this; one that stays in it has two applications with different routes in one outbox. */
    private static void routings(Facts facts, List<Reason> reasons) {
        List<NodeItem> standingBy = facts.nodes().stream()
                .filter(node -> node.alive() && node.report().standsByFor() != null)
                .toList();
        if (!standingBy.isEmpty()) {
            String some = String.join(
                    ", ",
                    standingBy.stream().limit(MOST_NAMED).map(NodeItem::node).toList());
            int more = standingBy.size() - MOST_NAMED;
            reasons.add(new Reason(
                    Code.ROUTING_DIFFERS,
                    Status.DEGRADED,
                    "relay " + some + (more > 0 ? " and " + more + " more" : "")
                            + " stands by: its routes differ from those in force, of relay "
                            + standingBy.get(0).report().standsByFor(),
                    "give all relays of this outbox the same routes ('postroom doctor' shows what differs); a deployment"
                            + " gets there by itself, two applications need an outbox each",
                    "relays"));
        }
    }

    private static Map<String, Held> held(Facts facts, String cause) {
        Map<String, Held> held = new LinkedHashMap<>();
        for (NodeItem node : facts.nodes()) {
            if (node.alive()) {
                node.report().held().stream()
                        .filter(one -> one.cause().equals(cause))
                        .forEach(one -> held.putIfAbsent(one.what(), one));
            }
        }
        return held;
    }

    private static String named(Map<String, Held> held) {
        String some = String.join(", ", held.keySet().stream().limit(MOST_NAMED).toList());
        return held.size() <= MOST_NAMED ? some : some + " and " + (held.size() - MOST_NAMED) + " more";
    }

    private static String shown(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 120) {
            return seconds + " s";
        }
        return seconds < 2 * 3600 ? seconds / 60 + " min" : seconds / 3600 + " h";
    }
}
