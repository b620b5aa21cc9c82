package dev.postroom.server.cli;

import static dev.postroom.server.output.Table.Column.text;
import static dev.postroom.server.output.Table.Column.whole;

import dev.postroom.operations.ActionResult;
import dev.postroom.operations.AuditEntry;
import dev.postroom.server.output.Table;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "audit",
        description = "Lists who changed what, when and why, newest first.",
        footer = {"", "Example:", "  postroom audit --limit 10"})
final class AuditCommand extends PostroomCommand {
    @Mixin
    private final PageOptions paging = new PageOptions();

    @Override
    public Integer call() {
        paging.check(this);
        List<AuditEntry> entries =
                root().installation().operations(root().surroundings().user()).audit(paging.page(), paging.limit());
        print(entries, () -> printTable(entries));
        return SUCCESS;
    }

    private void printTable(List<AuditEntry> entries) {
        if (entries.isEmpty()) {
            out().println("Nothing was changed yet.");
            return;
        }
        Table table = Table.of(
                whole("AT"),
                text("WHO"),
                text("AS"),
                whole("ACTION"),
                whole("CHANGED"),
                text("STATE"),
                text("REASON"),
                text("TARGET"));
        for (AuditEntry entry : entries) {
            table.row(
                    Values.shown(entry.at()),
                    entry.actor(),
                    entry.databaseUser(),
                    entry.action(),
                    changed(entry),
                    entry.oldState() + " -> " + entry.newState(),
                    entry.reason(),
                    entry.target());
        }
        table.print(out(), terminal().width());
    }

    private static String changed(AuditEntry entry) {
        return entry.changed() + " of " + ActionResult.inWords(entry.matched(), entry.allMatchedWereCounted())
                + (entry.failed() == 0 ? "" : ", " + entry.failed() + " failed");
    }
}
