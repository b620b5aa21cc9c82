package dev.postroom.server.cli;

import dev.postroom.operations.Change;
import picocli.CommandLine.Command;

@Command(
        name = "dead-letter",
        description = "Makes messages dead letters: no relay sends them until they are retried.",
        footer = {
            "",
            "Examples:",
            "  postroom dead-letter 01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11 --reason 'ticket 77'",
            "  postroom dead-letter --topic orders.created --min-attempts 5 --dry-run"
        })
final class DeadLetterCommand extends ChangeCommand {
    DeadLetterCommand() {
        super(Change.DEAD_LETTER);
    }
}
