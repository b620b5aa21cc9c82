package dev.postroom.operations;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of a stream are to be released.
 *
 * @param topic only those of this topic; null for all
 * @param ids only these, which then go ahead of what holds the stream; null for all that hold it
 */
public record ReleaseRequest(
        StreamKey stream, @Nullable String topic, @Nullable List<UUID> ids) {

    /** All that hold the stream. */
    public static ReleaseRequest of(String tenant, String key) {
        return new ReleaseRequest(new StreamKey(tenant, key), null, null);
    }

    /** Those of a topic, or of all when it is null. */
    public ReleaseRequest topic(@Nullable String value) {
        return new ReleaseRequest(stream, value, ids);
    }

    /** These alone; none releases nothing, and is refused. */
    public ReleaseRequest only(Collection<UUID> values) {
        return new ReleaseRequest(stream, topic, List.copyOf(values));
    }

    /** For people and the audit: {@code tenant=acme key=order-42 topic=orders.placed}. */
    public String describe() {
        return stream.describe() + (topic == null ? "" : " topic=" + topic);
    }
}
