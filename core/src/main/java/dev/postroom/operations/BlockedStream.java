package dev.postroom.operations;

import dev.postroom.FailureReason;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is held, by its first holder.
 *
 * @param headTopic the topic of the first holder; later messages wait for it whatever their topics
 * @param holders how many of its messages failed or are dead
 */
public record BlockedStream(
        StreamKey stream,
        UUID headId,
        String headTopic,
        MessageStatus headStatus,
        Instant since,
        @Nullable FailureReason reason,
        @Nullable String error,
        long holders) {}
