package dev.postroom.server.doctor;

import dev.postroom.admin.Redaction;
import dev.postroom.operations.BlockedStream;
import dev.postroom.operations.Health;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.LaneItem;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import dev.postroom.operations.RelayReport.Held;
import dev.postroom.operations.Stats;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether messages get through: relays, lanes, pauses, dead letters, blocked streams, age. */
final class DeliveryChecks {
    private static final int MOST_STREAMS = 100;
    /**
     * The others have a check of their own here, which says more. Not the ratio of failures: the doctor looks once, and one
     * failure in a quiet minute is all of them.
     */
    private static final Set<Health.Code> BY_HEALTH = Set.of(
            Health.Code.OLDEST_AGE,
            Health.Code.BACKLOG,
            Health.Code.STUCK,
            Health.Code.LANES_EXPIRED,
            Health.Code.SETTLE_REFUSED,
            Health.Code.RELAY_RESTARTED);

    private final Operations operations;
    private final HealthThresholds thresholds;
    private final Redaction redaction;
    private final Instant now;

    DeliveryChecks(Operations operations, Settings settings, Instant now) {
        this.operations = operations;
        this.thresholds = settings.health();
        this.redaction = settings.redaction();
        this.now = now;
    }

    void run(List<Finding> findings) {
        Stats stats = operations.stats();
        findings.add(relays(stats));
        findings.add(lanes());
        new RoutingChecks(operations, now).run(findings);
        findings.add(held());
        findings.add(pauses());
        findings.add(dead(stats));
        findings.add(blocked());
        findings.add(age(stats));
        health(stats, findings);
    }

    private List<NodeItem> nodes() {
        return operations.nodes().stream().map(redaction::relay).toList();
    }

    private Finding relays(Stats stats) {
        long alive = nodes().stream().filter(NodeItem::alive).count();
        if (alive > 0) {
            return Finding.ok("relays", alive + " alive");
        }
        String advice = "start one: './postroom serve', or the relay in your application";
        return stats.backlog() > 0
                ? Finding.wrong("relays", "none is alive, and messages wait: " + stats.backlog(), advice)
                : Finding.warning("relays", "none is alive; nothing waits", advice);
    }

    private Finding lanes() {
        List<LaneItem> lanes = operations.lanes();
        long owned = lanes.stream().filter(lane -> lane.owner() != null).count();
        long expired = lanes.stream()
                .filter(lane -> lane.leaseUntil() != null && lane.leaseUntil().isBefore(now))
                .count();
        if (expired > 0) {
            return Finding.warning(
                    "lanes",
                    expired + " of " + lanes.size() + " belong to a relay that stopped renewing them",
                    "a live relay takes them over within a lease; if none does, start one");
        }
        return Finding.ok("lanes", owned + " of " + lanes.size() + " owned");
    }

    /** Pauses have a check of their own. */
    private Finding held() {
        List<String> held = nodes().stream()
                .filter(NodeItem::alive)
                .flatMap(node -> node.report().held().stream())
                .filter(gate -> !gate.cause().equals(Held.PAUSE))
                .map(gate -> gate.what() + ": " + gate.why())
                .distinct()
                .toList();
        return held.isEmpty()
                ? Finding.ok("held", "nothing")
                : Finding.warning(
                        "held",
                        String.join(", ", held),
                        "bring the destination back, or add the route or handler: it is tried again by itself, or at once with"
                                + " ./postroom resume --destination NAME; nothing is lost or spent meanwhile");
    }

    private Finding pauses() {
        List<Pause> pauses = operations.pauses();
        if (pauses.isEmpty()) {
            return Finding.ok("pauses", "none");
        }
        String what = pauses.stream()
                .map(pause -> pause.target().describe() + " by " + pause.by() + " (" + pause.reason() + ")")
                .collect(Collectors.joining(", "));
        return Finding.warning("pauses", what, "./postroom resume, once it should go on");
    }

    private static Finding dead(Stats stats) {
        return stats.dead() == 0
                ? Finding.ok("dead letters", "none")
                : Finding.warning(
                        "dead letters",
                        stats.dead() + "",
                        "./postroom list --status dead, then retry, skip or delete them");
    }

    private Finding blocked() {
        List<BlockedStream> blocked = operations.blockedStreams(MOST_STREAMS);
        if (blocked.isEmpty()) {
            return Finding.ok("blocked streams", "none");
        }
        BlockedStream first = blocked.get(0);
        String many = blocked.size() < MOST_STREAMS ? blocked.size() + "" : MOST_STREAMS + " or more";
        return Finding.warning(
                "blocked streams",
                many + ", the longest: " + first.stream().describe() + " since " + first.since() + ", by a message of "
                        + first.headTopic(),
                "./postroom show " + first.headId() + ", then retry, skip or release it");
    }

    private static Finding age(Stats stats) {
        Duration age = Duration.ofMillis((long) (stats.oldestAgeSeconds() * 1000));
        return Finding.ok("oldest pending", age.isZero() ? "nothing waits" : DurationText.of(age));
    }

    /** By the same limits as everywhere. */
    private void health(Stats stats, List<Finding> findings) {
        Health health = Health.of(new Health.Facts(stats, nodes(), operations.lanes()), thresholds);
        health.reasons().stream()
                .filter(reason -> BY_HEALTH.contains(reason.code()))
                .map(reason -> reason.status() == Health.Status.DOWN
                        ? Finding.wrong("health", reason.text(), reason.action())
                        : Finding.warning("health", reason.text(), reason.action()))
                .forEach(findings::add);
    }
}
