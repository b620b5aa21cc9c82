package dev.postroom.operations;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Compares the routing in force with those before. The first route that matches a topic is its route, so the same line means
 * different topics under different lines above it: what counts is where a topic went, and where it goes.
 */
final class GapSearch {
    private record Rule(Glob topics, List<String> destinations) {}

    /** A routing that was in force. */
    private record Past(List<Rule> rules, Instant from, Instant to) {}

    private record Place(String topic, boolean partial, String destination) {}

    private final List<Rule> current;
    private final List<Past> past;
    private final Map<Place, RoutingGap> gaps = new LinkedHashMap<>();

    GapSearch(List<RoutingItem> routings) {
        RoutingItem inForce = RoutingItem.inForce(routings);
        this.current = inForce == null ? List.of() : rules(inForce);
        this.past = routings.stream()
                .filter(routing -> routing.inForceFrom() != null && routing.inForceTo() != null)
                .map(routing -> new Past(
                        rules(routing),
                        Objects.requireNonNull(routing.inForceFrom()),
                        Objects.requireNonNull(routing.inForceTo())))
                .toList();
    }

    private static List<Rule> rules(RoutingItem routing) {
        return routing.routes().lines().stream()
                .map(line -> new Rule(new Glob(line.topic()), line.destinations()))
                .toList();
    }

    List<RoutingGap> gaps() {
        List<Glob> above = new ArrayList<>();
        for (Rule rule : current) {
            for (Past routing : past) {
                compare(rule, above, routing);
            }
            above.add(rule.topics());
        }
        return List.copyOf(gaps.values());
    }

    /** The topic patterns of the routing in force, in order. */
    List<String> routes() {
        return current.stream().map(rule -> rule.topics().text()).toList();
    }

    /** Whether the routing in force sends topics of this pattern to the destination. */
    boolean goesTo(String route, String destination) {
        return current.stream()
                .anyMatch(rule -> rule.topics().text().equals(route)
                        && rule.destinations().contains(destination));
    }

    /**
     * Whether a topic has the route of this pattern now, goes to the destination by it, and did not at some time in between. Topics as
     * {@link RoutingText} prints them.
     */
    boolean hasMissed(String topic, String route, String destination, Instant from, Instant to) {
        return isMatched(
                        current,
                        topic,
                        rule -> rule.topics().text().equals(route)
                                && rule.destinations().contains(destination))
                && past.stream()
                        .filter(routing ->
                                routing.from().isBefore(to) && routing.to().isAfter(from))
                        .anyMatch(routing -> isMatched(
                                routing.rules(),
                                topic,
                                rule -> !rule.destinations().contains(destination)));
    }

    /** By the first that matches, as a relay does. */
    private static boolean isMatched(List<Rule> rules, String topic, Predicate<Rule> as) {
        return rules.stream()
                .filter(rule -> rule.topics().matches(topic))
                .findFirst()
                .filter(as)
                .isPresent();
    }

    private void compare(Rule rule, List<Glob> above, Past routing) {
        List<Rule> before = before(rule, above, routing);
        for (String destination : rule.destinations()) {
            List<Rule> without = before.stream()
                    .filter(old -> !old.destinations().contains(destination))
                    .toList();
            if (without.size() == before.size() && !without.isEmpty()) {
                add(new Place(rule.topics().text(), false, destination), routing);
                continue;
            }
            // A pattern stands for all topics that missed it, those of a route of their own as well.
            if (without.stream().allMatch(old -> old.topics().isTopic())) {
                without.forEach(old -> add(new Place(old.topics().text(), false, destination), routing));
            } else {
                add(new Place(rule.topics().text(), true, destination), routing);
            }
        }
    }

    /** By which rules the topics went that this rule takes now. A topic without any was held, and has missed nothing. */
    private static List<Rule> before(Rule rule, List<Glob> above, Past routing) {
        List<Rule> before = new ArrayList<>();
        List<Glob> none = new ArrayList<>(above);
        for (Rule old : routing.rules()) {
            if (Glob.anyTopicOf(rule.topics(), old.topics(), none)) {
                before.add(old);
                if (rule.topics().isTopic()) {
                    break;
                }
            }
            none.add(old.topics());
        }
        return before;
    }

    private void add(Place place, Past routing) {
        gaps.merge(
                place,
                new RoutingGap(place.topic(), place.partial(), place.destination(), routing.from(), routing.to()),
                (known, more) -> new RoutingGap(
                        place.topic(),
                        place.partial(),
                        place.destination(),
                        known.from().isBefore(more.from()) ? known.from() : more.from(),
                        known.to().isAfter(more.to()) ? known.to() : more.to()));
    }
}
