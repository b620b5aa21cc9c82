package dev.postroom.server.cli;

import dev.postroom.operations.Change;
import picocli.CommandLine.Command;

@Command(
        name = "delete",
        description = "Deletes dead or archived messages for good.",
        footer = {
            "",
            "Examples:",
            "  postroom delete 01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11 --reason 'ticket 77'",
            "  postroom delete --status dead --created-before 2026-01-01 --dry-run"
        })
final class DeleteCommand extends ChangeCommand {
    DeleteCommand() {
        super(Change.DELETE);
    }
}
