package dev.postroom.operations;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message in a list.
 *
 * @param availableAt when it is due, if it is scheduled
 * @param processedAt when it was delivered or skipped
 * @param error the last error, at most its first 200 characters
 */
public record MessageItem(
        UUID id,
        long seq,
        Stream stream,
        @Nullable String type,
        MessageStatus status,
        int attempts,
        Instant createdAt,
        @Nullable Instant availableAt,
        @Nullable Instant processedAt,
        @Nullable FailureReason reason,
        @Nullable String error) {}
