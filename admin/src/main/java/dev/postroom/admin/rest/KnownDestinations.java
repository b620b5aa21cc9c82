package dev.postroom.admin.rest;

import dev.postroom.admin.http.RefusedException;
import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.Operations;
import java.util.List;

/** Refuses names that no relay has ever had: what is sent there would wait for good, and nobody would take it for a slip. */
final class KnownDestinations {
    private static final int MOST_NAMED = 20;

    private KnownDestinations() {}

    static void check(Operations operations, String name) {
        List<String> known =
                operations.destinations().stream().map(DestinationItem::name).toList();
        if (!known.contains(name)) {
            throw RefusedException.badRequest("no relay knows a destination named '" + name + "': "
                    + (known.isEmpty()
                            ? "no relay has started yet"
                            : "choose one of "
                                    + String.join(", ", known.subList(0, Math.min(MOST_NAMED, known.size())))));
        }
    }
}
