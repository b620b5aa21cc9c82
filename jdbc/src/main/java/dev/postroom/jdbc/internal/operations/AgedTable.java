package dev.postroom.jdbc.internal.operations;

import java.util.List;

/**
 * A table whose rows go by age.
 *
 * @param time the column that tells the age
 * @param index the index on it, as MariaDB calls it
 * @param key what transactions that stay open for long may have taken again, or empty
 */
record AgedTable(String table, String time, String index, List<String> key) {
    static final AgedTable ARCHIVE = new AgedTable("postroom_archive", "archived_at", "at", List.of());
    static final AgedTable ATTEMPT = new AgedTable("postroom_attempt", "at", "at", List.of());
    static final AgedTable AUDIT = new AgedTable("postroom_audit", "at", "at", List.of());
    static final AgedTable DEDUP =
            new AgedTable("postroom_dedup", "expires_at", "expires", List.of("tenant", "idempotency_key"));
    static final AgedTable INBOX =
            new AgedTable("postroom_inbox", "handled_at", "handled", List.of("consumer", "message_id"));
    /** Few rows, so none by time. */
    static final AgedTable NODE = new AgedTable("postroom_node", "last_seen", "PRIMARY", List.of());
}
