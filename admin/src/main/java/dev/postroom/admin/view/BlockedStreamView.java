package dev.postroom.admin.view;

import dev.postroom.operations.BlockedStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is held.
 *
 * @param headTopic the topic of the first message that holds it; later ones wait whatever their topics
 * @param holders how many of its messages failed or are dead
 * @param waiting how many wait behind them; null, because counting them takes longer the more wait
 */
public record BlockedStreamView(
        String tenant,
        String key,
        String headId,
        String headTopic,
        String headStatus,
        @Nullable String reason,
        @Nullable String errorSnippet,
        Instant since,
        long holders,
        @Nullable Long waiting) {
    private static final int LONGEST_SNIPPET = 200;

    /** With the error as it may be shown. */
    public static BlockedStreamView of(BlockedStream blocked, @Nullable String error) {
        return new BlockedStreamView(
                blocked.stream().tenant(),
                blocked.stream().key(),
                blocked.headId().toString(),
                blocked.headTopic(),
                blocked.headStatus().label(),
                blocked.reason() == null ? null : blocked.reason().name(),
                snippet(error),
                blocked.since(),
                blocked.holders(),
                null);
    }

    private static @Nullable String snippet(@Nullable String error) {
        return error == null || error.length() <= LONGEST_SNIPPET ? error : error.substring(0, LONGEST_SNIPPET);
    }
}
