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
            description = "In whose name; the user of this machine is written beside it.")
    private @Nullable String actor;

    /** Whoever is named, and who typed it: a name alone would let anybody act as anybody. */
    String actor(PostroomCommand command) {
        String typist = command.root().surroundings().user();
        return actor != null ? actor + " by " + typist : typist;
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
