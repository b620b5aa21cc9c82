package dev.postroom.operations;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A destination that no relay in force has, as after a rollback: what is replayed to it waits until one has it again.
 *
 * @param since when the last routing that named it went out of force; null when none that is recorded ever was
 */
public record AbsentDestination(String name, @Nullable Instant since) {

    public static final String ADVICE =
            "start relays whose routes have it, and it goes on, or skip or delete what was replayed";

    /** Empty when a relay that delivers has it, or when nobody can tell because no relay lives or the routing is not recorded whole. */
    public static Optional<AbsentDestination> of(String name, List<RoutingItem> routings, List<NodeItem> nodes) {
        RoutingItem inForce = RoutingItem.inForce(routings);
        List<NodeItem> delivering = nodes.stream()
                .filter(node -> node.alive() && node.report().standsByFor() == null)
                .toList();
        boolean isKnown =
                delivering.stream().anyMatch(node -> node.report().addresses().containsKey(name));
        if (inForce == null || !inForce.isWhole() || names(inForce, name) || delivering.isEmpty() || isKnown) {
            return Optional.empty();
        }
        Instant since = routings.stream()
                .filter(routing -> routing.inForceTo() != null && names(routing, name))
                .map(routing -> Objects.requireNonNull(routing.inForceTo()))
                .max(Comparator.naturalOrder())
                .orElse(null);
        return Optional.of(new AbsentDestination(name, since));
    }

    private static boolean names(RoutingItem routing, String destination) {
        return routing.routes().lines().stream()
                .anyMatch(line -> line.destinations().contains(destination));
    }

    /** {@code destination 'audit' has not been in the routing in force since 2026-03-01T10:00:00Z}. */
    public String text() {
        return "destination '" + name + "' "
                + (since == null
                        ? "is not in the routing in force"
                        : "has not been in the routing in force since " + since);
    }
}
