package dev.postroom.operations;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which messages are meant; every part that is null lets all through. A tenant and a key name a stream, whatever its topics: a key alone
 * is looked for in the streams of all tenants.
 *
 * @param status null for everything in the live table
 * @param minAttempts attempts at least
 * @param hasError whether an error is recorded
 * @param createdAfter written at or after
 * @param createdBefore written before
 * @param staleFor not delivered although written longer ago than this; live messages only
 * @param text found in id, topic, key, type or error, upper and lower case alike
 * @param sight what the one who asks sees: others' messages do not match, whatever the other parts say
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
        @Nullable String text,
        Sight sight) {

    /** Everything in the live table. */
    public static final MessageFilter ALL = builder().build();

    private static final int LONGEST_TEXT = 200;

    public MessageFilter {
        if (minAttempts != null && minAttempts < 0) {
            throw new PostroomException("minAttempts must be 0 or more (was " + minAttempts + ")");
        }
        if (staleFor != null && staleFor.isNegative()) {
            throw new PostroomException("staleSeconds must be 0 or more (was " + staleFor.toSeconds() + ")");
        }
        if (staleFor != null && status != null && status.isArchived()) {
            throw new PostroomException("a " + status.label()
                    + " message is not waiting for anything: leave out staleSeconds, or ask for another status");
        }
        if (text != null && (text.isBlank() || text.length() > LONGEST_TEXT)) {
            throw new PostroomException("the text to search for must be 1 to " + LONGEST_TEXT + " characters (was "
                    + text.length() + "): leave it out to search for nothing");
        }
    }

    /** Starts with {@link #ALL}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whether no condition is given: everything in the live table is meant. */
    public boolean isEverything() {
        return equals(ALL);
    }

    /** The same, for somebody who sees no more than this. Who is bound to one tenant means that one. */
    MessageFilter seenWith(Sight value) {
        Tenants tenants = value.tenants();
        return new MessageFilter(
                status,
                tenant == null ? tenants.only() : tenant,
                topic,
                key,
                type,
                reason,
                minAttempts,
                hasError,
                createdAfter,
                createdBefore,
                staleFor,
                text,
                // Without a text nothing is searched, and the filter may still be one for everything.
                new Sight(tenants, text == null ? ErrorSearch.ALL : value.errors()));
    }

    /** Its conditions, for people and the audit: {@code status=dead topic=orders.created}. */
    public String describe() {
        List<String> parts = new ArrayList<>();
        add(parts, "status", status == null ? null : status.label());
        add(parts, "tenant", tenant);
        add(
                parts,
                "tenants",
                tenant != null || sight.tenants().areAll()
                        ? null
                        : sight.tenants().describe());
        add(parts, "topic", topic);
        add(parts, "key", key);
        add(parts, "type", type);
        add(parts, "reason", reason);
        add(parts, "minAttempts", minAttempts);
        add(parts, "hasError", hasError);
        add(parts, "createdAfter", createdAfter);
        add(parts, "createdBefore", createdBefore);
        add(parts, "staleSeconds", staleFor == null ? null : staleFor.toSeconds());
        add(parts, "q", text);
        return parts.isEmpty() ? "everything" : String.join(" ", parts);
    }

    private static void add(List<String> parts, String name, @Nullable Object value) {
        if (value != null) {
            parts.add(name + "=" + value);
        }
    }

    /** Collects conditions; a null takes one back. Not thread-safe. */
    public static final class Builder {
        private @Nullable MessageStatus status;
        private @Nullable String tenant;
        private @Nullable String topic;
        private @Nullable String key;
        private @Nullable String type;
        private @Nullable FailureReason reason;
        private @Nullable Integer minAttempts;
        private @Nullable Boolean hasError;
        private @Nullable Instant createdAfter;
        private @Nullable Instant createdBefore;
        private @Nullable Duration staleFor;
        private @Nullable String text;

        private Builder() {}

        public Builder status(@Nullable MessageStatus value) {
            status = value;
            return this;
        }

        public Builder tenant(@Nullable String value) {
            tenant = value;
            return this;
        }

        public Builder topic(@Nullable String value) {
            topic = value;
            return this;
        }

        public Builder key(@Nullable String value) {
            key = value;
            return this;
        }

        public Builder type(@Nullable String value) {
            type = value;
            return this;
        }

        public Builder reason(@Nullable FailureReason value) {
            reason = value;
            return this;
        }

        public Builder minAttempts(@Nullable Integer value) {
            minAttempts = value;
            return this;
        }

        public Builder hasError(@Nullable Boolean value) {
            hasError = value;
            return this;
        }

        public Builder createdAfter(@Nullable Instant value) {
            createdAfter = value;
            return this;
        }

        public Builder createdBefore(@Nullable Instant value) {
            createdBefore = value;
            return this;
        }

        public Builder staleFor(@Nullable Duration value) {
            staleFor = value;
            return this;
        }

        public Builder text(@Nullable String value) {
            text = value;
            return this;
        }

        /** Fails when a value makes no sense, saying which. */
        public MessageFilter build() {
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
                    text,
                    Sight.EVERYTHING);
        }
    }
}
