package dev.postroom.jdbc.internal.portable;

import dev.postroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
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
     * Takes the idempotency keys of messages; waits where another open transaction has just taken one. The messages have
     * different keys and come in the order of these, so that two transactions with the same keys do not deadlock.
     */
    Map<DedupKey, Taken> take(Connection connection, List<NewMessage> messages) throws SQLException;

    /** An idempotency key within its tenant. */
    record DedupKey(String tenant, String key) implements Comparable<DedupKey> {
        @Override
        public int compareTo(DedupKey other) {
            int byTenant = tenant.compareTo(other.tenant);
            return byTenant != 0 ? byTenant : key.compareTo(other.key);
        }
    }

    /** Whose message has a key: one that was there before, or the one just given. */
    record Taken(UUID messageId, boolean before) {}
}
