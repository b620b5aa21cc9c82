package dev.postroom.server.cli;

import static dev.postroom.server.output.Table.Column.number;
import static dev.postroom.server.output.Table.Column.text;
import static dev.postroom.server.output.Table.Column.whole;

import dev.postroom.admin.redact.ListedErrors;
import dev.postroom.admin.view.MessageView;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.Operations;
import dev.postroom.server.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description = "Lists messages, newest first.",
        footer = {
            "",
            "Examples:",
            "  postroom list --status dead",
            "  postroom list --topic orders.created --key 42 --json"
        })
final class ListCommand extends PostroomCommand {
    @Mixin
    private final FilterOptions filter = new FilterOptions();

    @Mixin
    private final PageOptions paging = new PageOptions();

    @Override
    public Integer call() {
        paging.check(this);
        Operations operations =
                root().installation().operations(root().surroundings().user());
        MessageFilter asked = filter.toFilter();
        MessagePage found = operations.list(asked, paging.page(), paging.limit());
        ListedErrors errors = ListedErrors.of(root().installation().settings().redaction(), operations, found.failed());
        print(
                found.items().stream()
                        .map(item -> MessageView.of(item, errors.shown(item.id(), item.error())))
                        .toList(),
                () -> printTable(found, errors));
        if (!found.complete()) {
            boolean isArchive = asked.status() != null && asked.status().isArchived();
            remark("Only the newest 10,000 or so were searched. "
                    + (isArchive
                            ? "An older one is shown by its id: postroom show ID"
                            : "Narrow by status, or by tenant and key, to reach older ones."));
        }
        return SUCCESS;
    }

    private void printTable(MessagePage found, ListedErrors errors) {
        if (found.items().isEmpty()) {
            out().println("No messages.");
            return;
        }
        Table table = Table.of(
                whole("ID"),
                whole("STATUS"),
                text("TOPIC"),
                text("KEY"),
                number("TRIES"),
                whole("CREATED"),
                text("TENANT"),
                text("ERROR"));
        for (MessageItem item : found.items()) {
            table.row(
                    item.id(),
                    item.status().label(),
                    item.stream().topic(),
                    item.stream().key(),
                    item.attempts(),
                    Values.shown(item.createdAt()),
                    item.stream().tenant(),
                    errors.shown(item.id(), item.error()));
        }
        table.print(out(), terminal().width());
        if (found.total() > found.items().size()) {
            out().println(found.items().size() + " of " + (found.totalIsExact() ? "" : "about ") + found.total()
                    + "; more with --limit or --page");
        }
    }
}
