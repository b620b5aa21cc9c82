package dev.postroom.outbox;

import dev.postroom.PostroomException;
import dev.postroom.TypeNames;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spi.Tracing;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An outbox's settings, checked when they are built. Immutable. */
record OutboxSettings(
        Limits limits,
        int compressionThreshold,
        Duration dedupWindow,
        @Nullable String source,
        @Nullable PayloadCodec codec,
        TypeNames types,
        AmbientTransaction ambient,
        Consumer<CommitHint> onCommit,
        Tracing tracing) {

    OutboxSettings {
        if (dedupWindow.compareTo(Duration.ofMinutes(1)) < 0 || dedupWindow.compareTo(Duration.ofDays(3650)) > 0) {
            throw new PostroomException("the dedup window must be between 1m and 3650d (was " + dedupWindow
                    + "): change postroom.dedup-window");
        }
        if (compressionThreshold < 256) {
            throw new PostroomException("the compression threshold must be at least 256 bytes (was "
                    + compressionThreshold + "): change postroom.compression.threshold");
        }
        String problem = source == null ? null : AttributeCheck.problemOf(source);
        if (problem != null) {
            throw new PostroomException("the outbox's source " + problem + " (postroom.source)");
        }
    }
}
