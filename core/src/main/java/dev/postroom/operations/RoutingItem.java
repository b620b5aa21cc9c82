package dev.postroom.operations;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A routing that relays have or had.
 *
 * @param firstSeen the newest of those that live, and have lived for a while, is in force
 * @param inForceFrom since when relays with it have delivered, or null if none ever has
 * @param inForceTo until when; null while they do. Not final before the last of its lanes is taken for another routing
 * @param lanes how many lanes were last taken for it
 */
public record RoutingItem(
        String fingerprint,
        RoutingText routes,
        Instant firstSeen,
        @Nullable Instant inForceFrom,
        @Nullable Instant inForceTo,
        int lanes) {

    /** The one by which messages are delivered now; null before the first lane was taken. */
    public static @Nullable RoutingItem inForce(List<RoutingItem> routings) {
        return routings.stream()
                .filter(RoutingItem::isInForce)
                .max(Comparator.comparing(RoutingItem::firstSeen))
                .orElse(null);
    }

    static @Nullable RoutingItem of(String fingerprint, List<RoutingItem> routings) {
        return routings.stream()
                .filter(routing -> routing.fingerprint().equals(fingerprint))
                .findFirst()
                .orElse(null);
    }

    /** Whether all of its routes are recorded; very many are cut off, see {@link RoutingText#stored()}. */
    public boolean isWhole() {
        return fingerprint.equals(routes.fingerprint());
    }

    /** Whether messages are delivered by it. */
    public boolean isInForce() {
        return inForceFrom != null && inForceTo == null;
    }
}
