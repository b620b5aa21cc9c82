package dev.postroom.operations;

import dev.postroom.FailureReason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which messages are meant; every part that is null lets all through. A key is looked for within its tenant and topic:
 * without a topic it is searched for in all of them.
 *
 * @param status null for everything in the live table
 * @param minAttempts attempts at least
 * @param hasError whether an error is recorded
 * @param staleFor not delivered although written longer ago than this
 * @param text found in id, topic, key, type or error, upper and lower case alike
 */
public record MessageFilter(
        @Nullable MessageStatus status,
        @Nullable String tenant,
        @Nullable String topic,
        @Nullable String key,
        @Nullable String type,
        @Nullable FailureReason reason,
        @Nullable Integer minAttempts,
        @Nullable Boolean hasError,
        @Nullable Instant createdAfter,
        @Nullable Instant createdBefore,
        @Nullable Duration staleFor,
        @Nullable String text) {

    /** Everything in the live table. */
    public static final MessageFilter ALL =
            new MessageFilter(null, null, null, null, null, null, null, null, null, null, null, null);

    public MessageFilter status(@Nullable MessageStatus value) {
        return new MessageFilter(
                value,
                tenant,
                topic,
                key,
                type,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                text);
    }

    public MessageFilter tenant(@Nullable String value) {
        return new MessageFilter(
                status,
                value,
                topic,
                key,
                type,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                text);
    }

    public MessageFilter topic(@Nullable String value) {
        return new MessageFilter(
                status,
                tenant,
                value,
                key,
                type,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                text);
    }

    public MessageFilter key(@Nullable String value) {
        return new MessageFilter(
                status,
                tenant,
                topic,
                value,
                type,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                text);
    }

    public MessageFilter type(@Nullable String value) {
        return new MessageFilter(
                status,
                tenant,
                topic,
                key,
                value,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                text);
    }

    public MessageFilter reason(@Nullable FailureReason value) {
        return new MessageFilter(
                status,
                tenant,
                topic,
                key,
                type,
                value,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                text);
    }

    public MessageFilter created(@Nullable Instant after, @Nullable Instant before) {
        return new MessageFilter(
                status, tenant, topic, key, type, reason, minAttempts, hasError, after, before, staleFor, text);
    }

    public MessageFilter failing(@Nullable Integer atLeast, @Nullable Boolean withError) {
        return new MessageFilter(
                status,
                tenant,
                topic,
                key,
                type,
                reason,
                atLeast,
                withError,
                createdAfter,
                createdBefore,
                staleFor,
                text);
    }

    public MessageFilter staleFor(@Nullable Duration value) {
        return new MessageFilter(
                status,
                tenant,
                topic,
                key,
                type,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                value,
                text);
    }

    public MessageFilter text(@Nullable String value) {
        return new MessageFilter(
                status,
                tenant,
                topic,
                key,
                type,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                value);
    }
}
