package dev.postroom.operations;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A relay that stands by, and how its routes differ from those in force.
 *
 * @param standsByFor a relay whose routes are in force
 * @param asOf when it reported so
 * @param only the routes that it has and which are not in force, a line each
 * @param missing the routes in force that it lacks
 * @param unknown whether the routes of one of them are not recorded, or not all of them: then lines may be missing here
 */
public record RoutingDifference(
        String node,
        String host,
        String standsByFor,
        Instant asOf,
        List<String> only,
        List<String> missing,
        boolean unknown) {

    /** Of all live relays that stand by; not of one that did at its last report, and whose routes are in force by now. */
    public static List<RoutingDifference> of(List<RoutingItem> routings, List<NodeItem> nodes) {
        RoutingItem inForce = RoutingItem.inForce(routings);
        return nodes.stream()
                .filter(node -> node.alive() && node.report().standsByFor() != null)
                .filter(node -> inForce == null || !inForce.fingerprint().equals(node.routing()))
                .map(node -> of(node, routings))
                .toList();
    }

    private static RoutingDifference of(NodeItem node, List<RoutingItem> routings) {
        RoutingItem own = RoutingItem.of(node.routing(), routings);
        RoutingItem inForce = RoutingItem.inForce(routings);
        List<String> ownLines = own == null ? List.of() : own.routes().printed();
        List<String> others = inForce == null ? List.of() : inForce.routes().printed();
        boolean known = own != null && inForce != null;
        return new RoutingDifference(
                node.node(),
                node.host(),
                String.valueOf(node.report().standsByFor()),
                node.lastSeen(),
                known ? without(ownLines, others) : List.of(),
                known ? without(others, ownLines) : List.of(),
                own == null || inForce == null || !own.isWhole() || !inForce.isWhole());
    }

    private static List<String> without(List<String> lines, List<String> others) {
        return lines.stream().filter(line -> !others.contains(line)).toList();
    }

    /** Line by line: {@code + } stands for a route that only this relay has, {@code - } for one in force that it lacks. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        only.forEach(line -> lines.add("+ " + line));
        missing.forEach(line -> lines.add("- " + line));
        if (unknown) {
            lines.add("? not all routes are recorded");
        } else if (lines.isEmpty()) {
            lines.add("= the same routes in another order");
        }
        return lines;
    }
}
