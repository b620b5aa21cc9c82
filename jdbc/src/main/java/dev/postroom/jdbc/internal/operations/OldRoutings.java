package dev.postroom.jdbc.internal.operations;

import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Routings that nobody has and nobody asks about. Looked up without locks: one that a relay brings back at this very moment is
 * added again with that relay's next report, and counts as new, as it would have a moment later.
 */
final class OldRoutings {
    private static final int MOST = 1_000;

    private static final String BY_AGE = """
            SELECT r.fingerprint, r.in_force_from, r.in_force_to
            FROM postroom_routing r
            WHERE r.fingerprint > ''
            ORDER BY r.first_seen DESC, r.fingerprint DESC
            LIMIT ?
            """;
    private static final String OF_NODES = "SELECT DISTINCT n.routing FROM postroom_node n WHERE " + Nodes.ANY_NODE;
    private static final String OF_LANES =
            "SELECT DISTINCT l.routing FROM postroom_lane l WHERE l.lane BETWEEN 0 AND 63 AND l.routing IS NOT NULL";
    private static final String REMOVE = "DELETE FROM postroom_routing WHERE fingerprint = ?";

    private record Routing(String fingerprint, boolean inForceLately) {}

    private OldRoutings() {}

    static long remove(Statements tx, Instant before, int kept) throws SQLException {
        List<Routing> routings = tx.all(BY_AGE, List.of(kept + MOST), row -> {
            Instant from = tx.timestamps().get(row, "in_force_from");
            Instant to = tx.timestamps().get(row, "in_force_to");
            return new Routing(row.getString("fingerprint"), from != null && (to == null || to.isAfter(before)));
        });
        if (routings.size() <= kept) {
            return 0;
        }
        Set<String> used = new HashSet<>(tx.all(OF_NODES, List.of(), row -> row.getString("routing")));
        used.addAll(tx.all(OF_LANES, List.of(), row -> row.getString("routing")));
        List<List<String>> old = routings.stream()
                .skip(kept)
                .filter(routing -> !routing.inForceLately() && !used.contains(routing.fingerprint()))
                .map(routing -> List.of(routing.fingerprint()))
                .toList();
        return old.isEmpty() ? 0 : tx.updateEach(REMOVE, old);
    }
}
