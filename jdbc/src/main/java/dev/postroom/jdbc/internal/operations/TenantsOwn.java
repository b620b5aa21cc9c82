package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.Tenants;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Which of some messages are certain tenants' own. A message never changes its tenant. */
final class TenantsOwn {
    private static final String LIVE = "SELECT m.id, m.tenant FROM postroom_message m {along id} WHERE {where}";
    private static final String ARCHIVED = "SELECT a.id, a.tenant FROM postroom_archive a {along id} WHERE {where}";

    private TenantsOwn() {}

    /** An id that some writer gave twice, to a live message and an archived one of another tenant, is nobody's. */
    static List<UUID> of(Statements statements, List<UUID> ids, Tenants tenants) throws SQLException {
        Set<UUID> own = new HashSet<>();
        Set<UUID> foreign = new HashSet<>();
        sort(statements, LIVE, new Where().andIn("m.id", ids), tenants, own, foreign);
        sort(statements, ARCHIVED, new Where().andIn("a.id", ids), tenants, own, foreign);
        List<UUID> found = new ArrayList<>(ids);
        found.removeIf(id -> !own.contains(id) || foreign.contains(id));
        return found;
    }

    private static void sort(
            Statements statements, String select, Where where, Tenants tenants, Set<UUID> own, Set<UUID> foreign)
            throws SQLException {
        statements.all(
                where.in(select),
                where.values(),
                row -> (tenants.include(row.getString("tenant")) ? own : foreign).add(MessageItems.id(row, "id")));
    }
}
