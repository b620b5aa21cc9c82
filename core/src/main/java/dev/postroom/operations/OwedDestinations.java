package dev.postroom.operations;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The destinations that a message still has to reach, by the routing in force.
 *
 * @param names null when that is not known: then it may be any
 */
public record OwedDestinations(@Nullable Set<String> names) {
    private static final OwedDestinations UNKNOWN = new OwedDestinations(null);

    /**
     * Those of a message's route that have not confirmed it.
     *
     * @param inForce null when no relay has told
     * @param onlyDestination where a replay goes, whatever the routes; else null
     * @param reached the destinations that have confirmed it
     */
    public static OwedDestinations of(
            @Nullable RoutingItem inForce, String topic, @Nullable String onlyDestination, Set<String> reached) {
        Set<String> names = new LinkedHashSet<>();
        if (onlyDestination != null) {
            names.add(onlyDestination);
        } else if (inForce == null || !inForce.isWhole()) {
            return UNKNOWN;
        } else {
            names.addAll(inForce.routes().destinations(topic));
        }
        names.removeAll(reached);
        return new OwedDestinations(names);
    }

    /** Whether it is known to have none left, or no route. */
    public boolean isNowhere() {
        return names != null && names.isEmpty();
    }

    /** Whether both may have to go to the same destination: only there one of a stream waits for another. */
    public boolean meet(OwedDestinations other) {
        if (names == null || other.names == null) {
            return !isNowhere() && !other.isNowhere();
        }
        return !shared(other).isEmpty();
    }

    /** The destinations that both are known to have to reach. */
    public List<String> shared(OwedDestinations other) {
        return names == null || other.names == null
                ? List.of()
                : names.stream().filter(other.names::contains).sorted().toList();
    }
}
