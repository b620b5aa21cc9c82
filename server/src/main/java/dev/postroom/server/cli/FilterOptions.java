package dev.postroom.server.cli;

import dev.postroom.FailureReason;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which messages are meant. */
final class FilterOptions {
    @Option(
            names = "--status",
            paramLabel = "STATUS",
            order = 1,
            description = "pending, blocked, scheduled, in-flight, failed, dead, processed or skipped;"
                    + " default: everything that is not delivered.")
    private @Nullable MessageStatus status;

    @Option(names = "--tenant", paramLabel = "TENANT", order = 2, description = "Of this tenant.")
    private @Nullable String tenant;

    @Option(names = "--topic", paramLabel = "TOPIC", order = 3, description = "To this topic.")
    private @Nullable String topic;

    @Option(names = "--key", paramLabel = "KEY", order = 4, description = "With this key.")
    private @Nullable String key;

    @Option(names = "--type", paramLabel = "TYPE", order = 5, description = "Of this type.")
    private @Nullable String type;

    @Option(
            names = "--failure",
            paramLabel = "REASON",
            order = 6,
            description = "Failed for this reason: ${COMPLETION-CANDIDATES}.")
    private @Nullable FailureReason failure;

    @Option(names = "--min-attempts", paramLabel = "N", order = 7, description = "Tried at least so often.")
    private @Nullable Integer minAttempts;

    @Option(
            names = "--created-after",
            paramLabel = "TIME",
            order = 8,
            description = "Written at this time or later: 2026-03-01T10:00:00Z or 2026-03-01.")
    private @Nullable Instant createdAfter;

    @Option(names = "--created-before", paramLabel = "TIME", order = 8, description = "Written before this time.")
    private @Nullable Instant createdBefore;

    @Option(
            names = "--stale-for",
            paramLabel = "DURATION",
            order = 9,
            description = "Not delivered although written longer ago than this: 500ms, 10s, 5m, 7d.")
    private @Nullable Duration staleFor;

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            order = 9,
            description = "Containing this text in id, topic, key, type or error.")
    private @Nullable String text;

    MessageFilter toFilter() {
        return MessageFilter.builder()
                .status(status)
                .tenant(tenant)
                .topic(topic)
                .key(key)
                .type(type)
                .reason(failure)
                .minAttempts(minAttempts)
                .createdAfter(createdAfter)
                .createdBefore(createdBefore)
                .staleFor(staleFor)
                .text(text)
                .build();
    }
}
