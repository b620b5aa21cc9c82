package dev.postroom.server.cli;

import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.Operations;
import dev.postroom.server.output.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One change to chosen messages: by their ids, or by what they have in common. */
abstract class ChangeCommand extends PostroomCommand {
    private final Change change;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "The messages; or choose them with the options below.")
    private List<UUID> ids = new ArrayList<>();

    @Mixin
    private final FilterOptions filterOptions = new FilterOptions();

    @Option(names = "--all", order = 40, description = "Every message that is not delivered, without a condition.")
    private boolean all;

    @Option(
            names = "--limit",
            paramLabel = "N",
            order = 41,
            defaultValue = "" + Bulk.DEFAULT_LIMIT,
            description = "At most so many, the oldest first, up to " + Bulk.MOST + "; default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--dry-run", order = 42, description = "Only say how many there are.")
    private boolean dryRun;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    ChangeCommand(Change change) {
        this.change = change;
    }

    @Override
    public Integer call() {
        MessageFilter filter = filterOptions.toFilter();
        checkChoice(filter);
        String reason = dryRun ? "" : audit.required(this);
        Operations operations = root().installation().operations(audit.actor(this));
        return ids.isEmpty() ? changeMany(operations, filter, reason) : changeChosen(operations, reason);
    }

    private void checkChoice(MessageFilter filter) {
        boolean conditions = !filter.isEverything();
        if (!ids.isEmpty() && (conditions || all)) {
            throw wrongUsage("give message ids or conditions, not both");
        }
        if (ids.isEmpty() && !conditions && !all) {
            throw wrongUsage("say which messages: ids, a condition such as --status dead, or --all");
        }
        if (limit < 1 || limit > Bulk.MOST) {
            throw wrongUsage("--limit must be 1 to " + Bulk.MOST + " (was " + limit + ")");
        }
    }

    private int changeChosen(Operations operations, String reason) {
        ActionResult result = dryRun ? operations.dryRun(change, ids) : operations.change(change, ids, reason);
        report(result);
        if (result.matched() < ids.size()) {
            remark("postroom: " + (ids.size() - result.matched()) + " of " + ids.size()
                    + " messages do not exist or cannot be changed so: 'postroom show ID' tells their status");
        }
        return result.matched() == 0 ? FAILURE : SUCCESS;
    }

    private int changeMany(Operations operations, MessageFilter filter, String reason) {
        Bulk bulk = new Bulk(filter, limit, dryRun, all);
        try (Progress progress = new Progress(terminal(), "changed")) {
            report(operations.change(change, bulk, reason, progress));
        }
        return SUCCESS;
    }

    private void report(ActionResult result) {
        print(result, () -> {
            String many = result.matchedInWords() + (result.matched() == 1 ? " message" : " messages");
            if (dryRun) {
                out().println(change.label() + " would change " + many + "; nothing was changed.");
            } else {
                out().println(change.label() + " changed " + result.changed() + " of " + many + ".");
            }
            if (!dryRun && result.changed() < result.matched() && ids.isEmpty()) {
                out().println("Run it again for the rest, or raise --limit.");
            }
        });
    }
}
