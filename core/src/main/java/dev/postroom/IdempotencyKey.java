package dev.postroom;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.UUID;

/**
 * A deterministic idempotency key: the same facts give the same key on every machine, whatever its locale.
 *
 * @param value the key
 */
public record IdempotencyKey(UUID value) {

    /** As {@link #of(String, String, String, String, long)} for something that has no versions. */
    public static IdempotencyKey of(String tenant, String category, String entityId, String kind) {
        return of(tenant, category, entityId, kind, 0);
    }

    /** As {@link #of(String, String, String, String, String)} with a number in place of the text. */
    public static IdempotencyKey of(String tenant, String category, String entityId, String kind, long version) {
        return of(tenant, category, entityId, kind, Long.toString(version));
    }

    /**
     * The first 16 bytes of the SHA-256 of {@code tenant:category:entityId:kind:version}, in network byte order. Upper
     * and lower case are the same, by design. A {@code :} or {@code \} inside a part is escaped, so that
     * {@code ("a:b", "c")} and {@code ("a", "b:c")} never collide.
     *
     * @param version what tells this from others of its kind: a version, a correlation id, the hour it belongs to; here too
     *     case does not matter, so no ids that differ in it alone
     */
    public static IdempotencyKey of(String tenant, String category, String entityId, String kind, String version) {
        String canonical =
                String.join(":", escape(tenant), escape(category), escape(entityId), escape(kind), escape(version));
        byte[] digest = sha256().digest(canonical.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        ByteBuffer first16 = ByteBuffer.wrap(digest, 0, 16);
        return new IdempotencyKey(new UUID(first16.getLong(), first16.getLong()));
    }

    private static String escape(String part) {
        return part.replace("\\", "\\\\").replace(":", "\\:");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
