package dev.postroom.operations;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stream that is held, by its first holder; {@code holders} says how many of its messages failed or are dead. */
public record BlockedStream(
        Stream stream,
        UUID headId,
        MessageStatus headStatus,
        Instant since,
        @Nullable FailureReason reason,
        @Nullable String error,
        long holders) {}
