package dev.postroom.spi;

import dev.postroom.DeliveryTime;
import dev.postroom.Stream;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that was checked and encoded, ready to be written.
 *
 * @param idWindow how long the id is remembered at least if the caller chose it, so that there may be a message with it
 *     already; null for an id that was drawn
 * @param dedup what makes it unique within its tenant, or null
 */
public record NewMessage(
        UUID id,
        @Nullable Duration idWindow,
        Stream stream,
        Content content,
        DeliveryTime deliveryTime,
        @Nullable Dedup dedup) {

    /** The key that it is published with, or null. */
    public @Nullable String idempotencyKey() {
        return dedup == null ? null : dedup.key();
    }

    /**
     * What makes a message unique within its tenant.
     *
     * @param key the idempotency key
     * @param window how long it is remembered at least
     */
    public record Dedup(String key, Duration window) {}
}
