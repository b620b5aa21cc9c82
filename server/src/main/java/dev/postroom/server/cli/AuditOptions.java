package dev.postroom.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who does it and why, for the audit. */
final class AuditOptions {
    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            order = 50,
            description = "Why, in a few words; written to the audit.")
    private @Nullable String reason;

    @Option(
            names = "--actor",
            paramLabel = "NAME",
            order = 51,
            description = "In whose name; default: the user of this machine.")
    private @Nullable String actor;

    String actor(PostroomCommand command) {
        return actor != null ? actor : command.root().surroundings().user();
    }

    /** The reason, without which there is no action. */
    String required(PostroomCommand command) {
        if (reason == null || reason.isBlank()) {
            throw command.wrongUsage("Missing required option: '--reason=TEXT' (it is written to the audit)");
        }
        return reason;
    }

    String orNone() {
        return reason == null || reason.isBlank() ? "(no reason given)" : reason;
    }
}
