package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose data is to be erased: everything with a key, of all topics, or chosen messages.
 *
 * @param tenant whose key it is, empty for messages without a tenant: the same key is somebody else's in another tenant
 * @param key the key, or null when ids are given
 * @param ids the messages, or none when a key is given
 */
public record ErasureRequest(String tenant, @Nullable String key, List<UUID> ids) {
    public ErasureRequest {
        ids = ids.stream().distinct().toList();
        if ((key == null) == ids.isEmpty()) {
            throw new PostroomException("say what to erase: either a key or message ids (--key K, or ID…)");
        }
        if (key == null && !tenant.isEmpty()) {
            throw new PostroomException("a tenant goes with a key: leave it out, ids are unique");
        }
        if (ids.size() > Operations.MOST_IDS) {
            throw new PostroomException("give at most " + Operations.MOST_IDS + " message ids (were " + ids.size()
                    + "): for more, repeat it");
        }
    }

    /** Everything with this key; of the tenant, or where there is none. */
    public static ErasureRequest ofKey(@Nullable String tenant, String key) {
        return new ErasureRequest(tenant == null ? "" : tenant, key, List.of());
    }

    public static ErasureRequest ofIds(Collection<UUID> ids) {
        return new ErasureRequest("", null, List.copyOf(ids));
    }
}
