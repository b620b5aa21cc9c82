package dev.postroom.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A destination that joined: messages of the topics that were delivered before did not go there.
 *
 * @param topic the pattern of the route
 * @param from when routes without it were first in force
 * @param to when they were last in force: since then the destination receives
 */
public record RoutingGap(String topic, String destination, Instant from, Instant to) {

    /** What is archived longer ago is gone by default. */
    private static final Duration TOLD_FOR = Duration.ofDays(7);

    private static final int MOST_TOLD = 20;

    /** Those that an operator may still want to close. */
    public static List<RoutingGap> recent(List<RoutingItem> routings, Instant now) {
        return of(routings).stream()
                .filter(gap -> gap.to().isAfter(now.minus(TOLD_FOR)))
                .limit(MOST_TOLD)
                .toList();
    }

    /** The gaps of the routing in force; of any others nobody knows whether they matter. */
    public static List<RoutingGap> of(List<RoutingItem> routings) {
        List<RoutingGap> gaps = new ArrayList<>();
        routings.stream()
                .filter(RoutingItem::isInForce)
                .max(Comparator.comparing(RoutingItem::firstSeen))
                .ifPresent(current -> {
                    for (RoutingText.Line line : current.routes().lines()) {
                        for (String destination : line.destinations()) {
                            addIfAny(gaps, line.topic(), destination, routings);
                        }
                    }
                });
        return gaps;
    }

    private static void addIfAny(List<RoutingGap> gaps, String topic, String destination, List<RoutingItem> routings) {
        List<RoutingItem> without = routings.stream()
                .filter(routing -> routing.inForceFrom() != null && routing.inForceTo() != null)
                .filter(routing -> !sends(routing, topic, destination))
                .toList();
        if (!without.isEmpty()) {
            gaps.add(new RoutingGap(
                    topic,
                    destination,
                    without.stream()
                            .map(routing -> Objects.requireNonNull(routing.inForceFrom()))
                            .min(Comparator.naturalOrder())
                            .orElseThrow(),
                    without.stream()
                            .map(routing -> Objects.requireNonNull(routing.inForceTo()))
                            .max(Comparator.naturalOrder())
                            .orElseThrow()));
        }
    }

    private static boolean sends(RoutingItem routing, String topic, String destination) {
        return routing.routes().lines().stream()
                .anyMatch(line ->
                        line.topic().equals(topic) && line.destinations().contains(destination));
    }

    /** The command that closes it. A replay takes one topic; a pattern stands for each of those that match it. */
    public String replay() {
        String which = topic.indexOf('*') < 0 ? topic : "TOPIC";
        return "postroom replay --topic " + which + " --destination " + destination + " --from " + from + " --to " + to
                + (which.equals(topic) ? "" : " for each TOPIC that matches " + topic);
    }
}
