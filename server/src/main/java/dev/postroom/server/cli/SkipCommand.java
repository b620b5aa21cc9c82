package dev.postroom.server.cli;

import dev.postroom.operations.Change;
import picocli.CommandLine.Command;

@Command(
        name = "skip",
        description = "Takes messages out of their streams and archives them as skipped.",
        footer = {
            "",
            "Examples:",
            "  postroom skip 01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11 --reason 'ticket 77'",
            "  postroom skip --status dead --topic orders.created --key 42 --dry-run"
        })
final class SkipCommand extends ChangeCommand {
    SkipCommand() {
        super(Change.SKIP);
    }
}
