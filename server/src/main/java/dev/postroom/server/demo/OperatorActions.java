package dev.postroom.server.demo;

import dev.postroom.operations.AuditEntry;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What somebody did by hand while the demo ran, and what therefore need not be delivered, or not in order.
 *
 * @param skipped messages that were skipped
 * @param deleted whether any were deleted; which ones, nobody can tell any more
 * @param released what streams were released, as the audit names them
 */
record OperatorActions(Set<UUID> skipped, boolean deleted, List<String> released) {
    static final OperatorActions NONE = new OperatorActions(Set.of(), false, List.of());

    static OperatorActions of(Operations operations, Set<UUID> skipped) {
        List<String> released = new ArrayList<>();
        boolean deleted = false;
        List<AuditEntry> entries;
        int page = 0;
        do {
            entries = operations.audit(page++, MessagePage.MOST_ITEMS);
            for (AuditEntry entry : entries) {
                deleted |= entry.action().equals("delete") && entry.changed() > 0;
                if (entry.action().equals("release")) {
                    released.add(entry.target());
                }
            }
        } while (entries.size() == MessagePage.MOST_ITEMS && page < MessagePage.EXACT_UP_TO / MessagePage.MOST_ITEMS);
        return new OperatorActions(skipped, deleted, released);
    }

    boolean discarded(UUID message) {
        return deleted || skipped.contains(message);
    }

    boolean released(Order.Place place) {
        String stream = place.stream().describe();
        return released.stream().anyMatch(target -> target.equals(stream) || target.startsWith(stream + " "));
    }
}
