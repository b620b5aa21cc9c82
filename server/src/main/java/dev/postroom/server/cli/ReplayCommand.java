package dev.postroom.server.cli;

import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Operations;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.server.output.Progress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "replay",
        description = "Sends archived messages again, in order and with their ids, to one destination.",
        footer = {
            "",
            "Example:",
            "  postroom replay --topic orders.created --from 2026-03-01 --to 2026-03-02 --destination billing --dry-run"
        })
final class ReplayCommand extends PostroomCommand {
    @Option(
            names = "--topic",
            required = true,
            paramLabel = "TOPIC",
            order = 1,
            description = "Messages of this topic.")
    private String topic = "";

    @Option(names = "--key", paramLabel = "KEY", order = 2, description = "Only those with this key.")
    private @Nullable String key;

    @Option(names = "--tenant", paramLabel = "TENANT", order = 3, description = "Only those of this tenant.")
    private @Nullable String tenant;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            order = 4,
            description = "Only those delivered at this time or later: 2026-03-01T10:00:00Z or 2026-03-01.")
    private @Nullable Instant from;

    @Option(names = "--to", paramLabel = "TIME", order = 5, description = "Only those delivered before this time.")
    private @Nullable Instant to;

    @Option(
            names = "--destination",
            required = true,
            paramLabel = "NAME",
            order = 6,
            description = "Where they are sent, and nowhere else.")
    private String destination = "";

    @Option(names = "--rate", paramLabel = "N", order = 7, description = "So many a second; default: all at once.")
    private @Nullable Integer rate;

    @Option(
            names = "--limit",
            paramLabel = "N",
            order = 41,
            defaultValue = "" + Bulk.MOST,
            description = "At most so many, the oldest first; default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--dry-run", order = 42, description = "Only say how many there are.")
    private boolean dryRun;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Override
    public Integer call() {
        String reason = dryRun ? "" : audit.required(this);
        ReplayRequest request = new ReplayRequest(tenant, topic, key, from, to, destination, rate);
        Operations operations = root().installation().operations(audit.actor(this));
        PauseOptions.refuseUnknown(destination, operations, this);
        ActionResult result;
        try (Progress progress = new Progress(terminal(), "to be sent again")) {
            result = dryRun ? operations.dryRunReplay(request) : operations.replay(request, limit, reason, progress);
        }
        print(
                result,
                () -> out().println(
                                dryRun
                                        ? "replay would send " + result.matched() + " messages to '" + destination
                                                + "'; nothing was changed."
                                        : "replay sends " + result.changed() + " of " + result.matched()
                                                + " messages to '" + destination + "'."));
        return SUCCESS;
    }
}
