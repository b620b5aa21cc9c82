package dev.postroom.server.cli;

import dev.postroom.operations.Change;
import picocli.CommandLine.Command;

@Command(
        name = "retry",
        description = "Makes failed or dead messages due now, with fresh attempts.",
        footer = {
            "",
            "Examples:",
            "  postroom retry 01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11 --reason 'ticket 77'",
            "  postroom retry --status dead --topic orders.created --dry-run"
        })
final class RetryCommand extends ChangeCommand {
    RetryCommand() {
        super(Change.RETRY);
    }
}
