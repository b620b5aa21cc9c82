package dev.postroom.operations;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which archived messages are to be sent again, to which destination.
 *
 * @param from processed at or after
 * @param to processed before
 * @param ratePerSecond how many become due a second; null for all at once
 */
public record ReplayRequest(
        @Nullable String tenant,
        String topic,
        @Nullable String key,
        @Nullable Instant from,
        @Nullable Instant to,
        String destination,
        @Nullable Integer ratePerSecond) {}
