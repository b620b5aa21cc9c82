package dev.postroom.server.cli;

import dev.postroom.operations.MessagePage;
import picocli.CommandLine.Option;

/** How much of a list, and where from. */
final class PageOptions {
    @Option(
            names = "--limit",
            paramLabel = "N",
            order = 20,
            defaultValue = "50",
            description = "At most so many, up to " + MessagePage.MOST_ITEMS + "; default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(
            names = "--page",
            paramLabel = "N",
            order = 21,
            defaultValue = "0",
            description = "The next so many, counted from 0.")
    private int page;

    void check(PostroomCommand command) {
        if (limit < 1 || limit > MessagePage.MOST_ITEMS) {
            throw command.wrongUsage(
                    "--limit must be 1 to " + MessagePage.MOST_ITEMS + " (was " + limit + "): use --page for more");
        }
        if (page < 0) {
            throw command.wrongUsage("--page counts from 0 (was " + page + ")");
        }
    }

    int limit() {
        return limit;
    }

    int page() {
        return page;
    }
}
