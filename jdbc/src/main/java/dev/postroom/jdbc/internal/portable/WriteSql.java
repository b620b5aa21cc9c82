package dev.postroom.jdbc.internal.portable;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The statements of {@link PortableWriter}. */
public interface WriteSql {

    /**
     * Inserts that many messages in order and returns id, lane, seq of each. Parameters per message: id, tenant, topic,
     * ordering_key, type, content_type, content_encoding, headers, payload, source, available_at, delay.
     */
    String insert(int messages);

    /**
     * Takes keys for messages; waits where another open transaction has just taken one. The keys are different and come in
     * their order, so that two transactions with the same keys do not deadlock.
     */
    Map<DedupKey, Taken> take(Connection connection, List<Claim> claims) throws SQLException;

    /** An idempotency key within its tenant, or an id. */
    record DedupKey(String tenant, String key) implements Comparable<DedupKey> {
        /** As the table tells ids from keys, which are never empty. */
        static DedupKey ofId(UUID id) {
            return new DedupKey(id.toString(), "");
        }

        @Override
        public int compareTo(DedupKey other) {
            int byTenant = tenant.compareTo(other.tenant);
            return byTenant != 0 ? byTenant : key.compareTo(other.key);
        }
    }

    /** What is to be taken, for which message and for how long at least. */
    record Claim(DedupKey key, UUID messageId, Duration window) {}

    /** Whose message has a key: one that was there before, or the one just given. */
    record Taken(UUID messageId, boolean before) {}
}
