package dev.postroom.admin.view;

import dev.postroom.operations.MessageDetail;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one message: the fields of {@link MessageView}, then the rest.
 *
 * @param payload a string when it is text, a {@link PayloadView.Base64} when not, null when it was not asked for
 * @param attemptsMade its failed attempts, newest first
 * @param redacted whether something was taken out of it that can be revealed
 * @param whyNotSent sentences, the most important first; empty once it was delivered or skipped
 */
public record MessageDetailView(
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
        @Nullable String errorSnippet,
        List<String> whyNotSent,
        @Nullable String error,
        List<AttemptView> attemptsMade,
        int crashes,
        int lane,
        boolean released,
        List<String> completedDestinations,
        @Nullable String source,
        Map<String, String> headers,
        String contentType,
        @Nullable String contentEncoding,
        long payloadBytes,
        boolean payloadIsWhole,
        @Nullable Object payload,
        boolean redacted) {

    /** One failed attempt. */
    public record AttemptView(
            int attempt,
            Instant at,
            String reason,
            String error,
            @Nullable String destination,
            @Nullable String node) {
        static AttemptView of(MessageDetail.Attempt attempt) {
            return new AttemptView(
                    attempt.attempt(),
                    attempt.at(),
                    attempt.reason().name(),
                    attempt.error(),
                    attempt.destination(),
                    attempt.node());
        }
    }

    /** The message as it may be shown, with so much of its payload; the size is that of the message itself. */
    public static MessageDetailView of(MessageDetail detail, MessageDetail shown, int mostPayloadBytes) {
        return of(detail, shown, PayloadView.of(shown, mostPayloadBytes));
    }

    /** Without the payload. */
    public static MessageDetailView withoutPayload(MessageDetail detail, MessageDetail shown) {
        return of(detail, shown, null);
    }

    private static MessageDetailView of(MessageDetail whole, MessageDetail detail, @Nullable PayloadView payload) {
        MessageView item = MessageView.of(detail.item());
        return new MessageDetailView(
                item.id(),
                item.seq(),
                item.tenant(),
                item.topic(),
                item.key(),
                item.type(),
                item.status(),
                item.attempts(),
                item.createdAt(),
                item.availableAt(),
                item.processedAt(),
                item.reason(),
                item.errorSnippet(),
                detail.whyNotSent(),
                detail.error(),
                detail.attempts().stream().map(AttemptView::of).toList(),
                detail.crashes(),
                detail.lane(),
                detail.released(),
                detail.completedDestinations(),
                detail.source(),
                detail.headers(),
                detail.contentType(),
                detail.contentEncoding(),
                whole.payloadBytes(),
                payload != null && payload.isWhole(),
                payload == null ? null : payload.content(),
                !detail.equals(whole));
    }
}
