package dev.postroom.server.doctor;

import dev.postroom.operations.AbsentDestination;
import dev.postroom.operations.AddressDifference;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Operations;
import dev.postroom.operations.RelayReport.Held;
import dev.postroom.operations.RoutingDifference;
import dev.postroom.operations.RoutingGap;
import dev.postroom.operations.RoutingGaps;
import dev.postroom.operations.RoutingItem;
import dev.postroom.operations.RoutingText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Whether all relays have the same routes and addresses, what differs, and which destinations joined. */
final class RoutingChecks {
    private static final String CHECK = "routing";
    private final Operations operations;
    private final Instant now;

    RoutingChecks(Operations operations, Instant now) {
        this.operations = operations;
        this.now = now;
    }

    void run(List<Finding> findings) {
        List<RoutingItem> routings = operations.routings();
        List<NodeItem> nodes = operations.nodes();
        standingBy(RoutingDifference.of(routings, nodes), findings);
        notAllRecorded(routings, findings);
        replaysThatWait(routings, nodes, findings);
        AddressDifference.of(nodes).stream()
                .map(difference -> Finding.ok(
                        CHECK,
                        "relays reach a destination at different addresses, which is fine if it is meant: "
                                + difference.text()))
                .forEach(findings::add);
        joined(routings, findings);
    }

    private void standingBy(List<RoutingDifference> standingBy, List<Finding> findings) {
        if (standingBy.isEmpty()) {
            findings.add(Finding.ok(CHECK, "all relays have the same routes"));
        }
        for (RoutingDifference relay : standingBy) {
            findings.add(Finding.warning(
                    CHECK,
                    "relay " + relay.node() + " on " + relay.host() + " stands by for " + relay.standsByFor()
                            + ", whose routes are in force (reported "
                            + Math.max(0, Duration.between(relay.asOf(), now).toSeconds()) + " s ago): "
                            + difference(relay),
                    "give all relays of this outbox the same routes, or wait until the deployment is through; two"
                            + " applications need an outbox each"));
        }
    }

    private static String difference(RoutingDifference relay) {
        List<String> told = new ArrayList<>();
        relay.only().forEach(line -> told.add("it has " + line));
        relay.missing().forEach(line -> told.add("in force is " + line));
        if (relay.unknown()) {
            told.add("not all routes are recorded");
        }
        return told.isEmpty() ? "the same routes in another order" : String.join("; ", told);
    }

    /** Where routes are cut off, nobody can tell which destinations joined them. */
    private static void notAllRecorded(List<RoutingItem> routings, List<Finding> findings) {
        RoutingItem inForce = RoutingItem.inForce(routings);
        boolean cut = routings.stream().anyMatch(routing -> routing.inForceFrom() != null && !routing.isWhole());
        if (inForce != null && cut) {
            int recorded = inForce.routes().lines().size();
            findings.add(Finding.warning(
                    CHECK,
                    "of a routing that is or was in force only the first " + RoutingText.LONGEST_STORED
                            + " characters are recorded (of the one in force " + recorded
                            + " routes); which destinations joined later routes is not told",
                    "use fewer routes with wider patterns, or compare the settings of both versions yourself"));
        }
    }

    private static void replaysThatWait(List<RoutingItem> routings, List<NodeItem> nodes, List<Finding> findings) {
        nodes.stream()
                .filter(NodeItem::alive)
                .flatMap(node -> node.report().held().stream())
                .filter(held -> held.cause().equals(Held.NO_ROUTE))
                .map(Held::destination)
                .filter(Objects::nonNull)
                .distinct()
                .flatMap(name -> AbsentDestination.of(name, routings, nodes).stream())
                .map(absent ->
                        Finding.warning(CHECK, "replays wait, because " + absent.text(), AbsentDestination.ADVICE))
                .forEach(findings::add);
    }

    private void joined(List<RoutingItem> routings, List<Finding> findings) {
        if (RoutingGap.isHandover(routings)) {
            findings.add(Finding.ok(
                    CHECK,
                    "lanes are still being handed over to the routes in force; ask again afterwards for the destinations"
                            + " that joined"));
        }
        RoutingGaps gaps = RoutingGaps.recent(routings, now);
        gaps.told().stream()
                .map(gap -> Finding.ok(
                        CHECK,
                        gap.destination() + " receives " + gap.topics() + " since " + gap.to()
                                + "; what was delivered before went without it. To send that as well:",
                        gap.replay()))
                .forEach(findings::add);
        if (gaps.more() > 0) {
            findings.add(Finding.ok(CHECK, gaps.moreInWords()));
        }
    }
}
