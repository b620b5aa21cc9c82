package dev.postroom.server.doctor;

import dev.postroom.operations.AddressDifference;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Operations;
import dev.postroom.operations.RoutingGap;
import dev.postroom.operations.RoutingItem;
import dev.postroom.operations.RoutingText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
        List<NodeItem> standingBy = nodes.stream()
                .filter(node -> node.alive() && node.report().standsByFor() != null)
                .toList();
        if (standingBy.isEmpty()) {
            findings.add(Finding.ok(CHECK, "all relays have the same routes"));
        }
        Map<String, RoutingItem> byFingerprint =
                routings.stream().collect(Collectors.toMap(RoutingItem::fingerprint, Function.identity()));
        for (NodeItem node : standingBy) {
            findings.add(Finding.warning(
                    CHECK,
                    "relay " + node.node() + " on " + node.host() + " stands by for "
                            + node.report().standsByFor() + ", whose routes are in force: "
                            + difference(byFingerprint.get(node.routing()), inForce(routings)),
                    "give all relays of this outbox the same routes, or wait until the deployment is through; two"
                            + " applications need an outbox each"));
        }
        AddressDifference.of(nodes).stream()
                .map(difference -> Finding.ok(
                        CHECK,
                        "relays reach a destination at different addresses, which is fine if it is meant: "
                                + difference.text()))
                .forEach(findings::add);
        if (RoutingGap.isHandover(routings)) {
            findings.add(Finding.ok(
                    CHECK,
                    "lanes are still being handed over to the routes in force; ask again afterwards for the destinations"
                            + " that joined"));
        }
        RoutingGap.recent(routings, now).stream()
                .map(gap -> Finding.ok(
                        CHECK,
                        gap.destination() + " receives " + gap.topics() + " since " + gap.to()
                                + "; what was delivered before went without it. To send that as well: "
                                + gap.replay()))
                .forEach(findings::add);
    }

    private static @Nullable RoutingItem inForce(List<RoutingItem> routings) {
        return routings.stream().filter(RoutingItem::isInForce).findFirst().orElse(null);
    }

    private static String difference(@Nullable RoutingItem own, @Nullable RoutingItem inForce) {
        if (own == null || inForce == null) {
            return "what differs is not recorded yet";
        }
        List<String> only = lines(own.routes());
        List<String> others = lines(inForce.routes());
        List<String> told = new ArrayList<>();
        only.stream().filter(line -> !others.contains(line)).forEach(line -> told.add("it has " + line));
        others.stream().filter(line -> !only.contains(line)).forEach(line -> told.add("in force is " + line));
        return told.isEmpty() ? "the same routes in another order" : String.join("; ", told);
    }

    private static List<String> lines(RoutingText routes) {
        return routes.lines().stream().map(RoutingText.Line::toString).toList();
    }
}
