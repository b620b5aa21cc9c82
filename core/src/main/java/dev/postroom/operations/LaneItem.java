package dev.postroom.operations;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lane and who owns it, until when. */
public record LaneItem(
        int lane,
        @Nullable String owner,
        long epoch,
        @Nullable Instant leaseUntil) {}
