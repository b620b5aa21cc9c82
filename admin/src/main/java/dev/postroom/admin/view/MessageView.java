package dev.postroom.admin.view;

import dev.postroom.operations.MessageItem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A message in a list. */
public record MessageView(
        String id,
        long seq,
        String tenant,
        String topic,
        @Nullable String key,
        @Nullable String type,
        String status,
        int attempts,
        Instant createdAt,
        @Nullable Instant availableAt,
        @Nullable Instant processedAt,
        @Nullable String reason,
        @Nullable String errorSnippet) {

    public static MessageView of(MessageItem item) {
        return of(item, item.error());
    }

    /** With the error as it may be shown. */
    public static MessageView of(MessageItem item, @Nullable String error) {
        return new MessageView(
                item.id().toString(),
                item.seq(),
                item.stream().tenant(),
                item.stream().topic(),
                item.stream().key(),
                item.type(),
                item.status().label(),
                item.attempts(),
                item.createdAt(),
                item.availableAt(),
                item.processedAt(),
                item.reason() == null ? null : item.reason().name(),
                error);
    }
}
