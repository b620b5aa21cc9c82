package dev.postroom.server.cli;

import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Operations;
import dev.postroom.server.output.Progress;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "purge",
        description = "Removes archived messages and what belongs to them; live messages are left alone.",
        footer = {"", "Example:", "  postroom purge --older-than 30d --reason 'disk is filling up'"})
final class PurgeCommand extends PostroomCommand {
    @Option(
            names = "--older-than",
            required = true,
            paramLabel = "DURATION",
            order = 1,
            description = "Delivered or skipped longer ago than this: 10s, 5m, 2h, 7d.")
    private Duration olderThan = Duration.ZERO;

    @Option(names = "--dry-run", order = 42, description = "Only say how many there are.")
    private boolean dryRun;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Override
    public Integer call() {
        Operations operations = root().installation().operations(audit.actor(this));
        ActionResult result;
        try (Progress progress = new Progress(terminal(), "removed")) {
            result = dryRun ? operations.dryRunPurge(olderThan) : operations.purge(olderThan, audit.orNone(), progress);
        }
        print(
                result,
                () -> out().println(
                                dryRun
                                        ? "purge would remove " + result.matchedInWords()
                                                + " archived messages; nothing was changed."
                                        : "purge removed " + result.changed() + " archived messages."));
        return SUCCESS;
    }
}
