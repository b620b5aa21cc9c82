package dev.postroom.spi;

import dev.postroom.DeliveryTime;
import dev.postroom.Stream;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that was checked and encoded, ready to be written.
 *
 * @param dedup what makes it unique within its tenant, or null
 */
public record NewMessage(
        UUID id,
        Stream stream,
        Content content,
        DeliveryTime deliveryTime,
        @Nullable Dedup dedup) {

    /**
     * What makes a message unique within its tenant.
     *
     * @param key the idempotency key
     * @param window how long it is remembered at least
     */
    public record Dedup(String key, Duration window) {}
}
