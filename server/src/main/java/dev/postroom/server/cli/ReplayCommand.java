package dev.postroom.server.cli;

import dev.postroom.operations.AbsentDestination;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Operations;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.server.output.Progress;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "replay",
        description = "Sends archived messages again, in order and with their ids, to one destination.",
        footer = {
            "",
            "Examples:",
            "  postroom replay --topic orders.created --from 2026-03-01 --to 2026-03-02 --destination billing --dry-run",
            "  postroom replay --route 'orders.**' --from 2026-03-01T10:00:00Z --to 2026-03-01T10:15:00Z --destination audit"
                    + " --reason 'audit joined'"
        })
final class ReplayCommand extends PostroomCommand {
    @ArgGroup(multiplicity = "1")
    private Which which = new Which();

    static final class Which {
        @Option(
                names = "--topic",
                required = true,
                paramLabel = "TOPIC",
                order = 1,
                description = "Messages of this topic.")
        private @Nullable String topic;

        @Option(
                names = "--route",
                required = true,
                paramLabel = "PATTERN",
                order = 2,
                description =
                        "Messages of all topics that have this route now, as doctor names it, and did not go to the"
                                + " destination by the routes of the time; needs --from and --to.")
        private @Nullable String route;
    }

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
            description = "At most so many, the oldest of each topic first; default: all of them.")
    private int limit = Integer.MAX_VALUE;

    @Option(names = "--dry-run", order = 42, description = "Only say how many there are.")
    private boolean dryRun;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Override
    public Integer call() {
        if (limit < 1) {
            throw wrongUsage("--limit must be at least 1 (was " + limit + ")");
        }
        String reason = dryRun ? "" : audit.required(this);
        Operations operations = root().installation().operations(audit.actor(this));
        PauseOptions.refuseUnknown(destination, operations, this);
        List<String> topics = topics(operations);
        ActionResult result = new ActionResult(0, 0);
        for (String topic : topics) {
            result = result.and(replay(operations, topic, limit - (int) result.changed(), reason));
        }
        ActionResult all = result;
        print(all, () -> tell(all, topics));
        remarkIfAbsent(operations);
        return SUCCESS;
    }

    private List<String> topics(Operations operations) {
        if (which.route == null) {
            return List.of(Objects.requireNonNull(which.topic));
        }
        if (from == null || to == null) {
            throw wrongUsage("--route needs --from and --to, between which its topics went without the destination");
        }
        return operations.missedTopics(which.route, destination, tenant, from, to);
    }

    private ActionResult replay(Operations operations, String topic, int most, String reason) {
        ReplayRequest request = new ReplayRequest(tenant, topic, key, from, to, destination, rate);
        if (dryRun || most == 0) {
            return operations.dryRunReplay(request); // what the limit keeps from being sent belongs to the count
        }
        try (Progress progress = new Progress(terminal(), "to be sent again")) {
            return operations.replay(request, most, reason, progress);
        }
    }

    private void tell(ActionResult result, List<String> topics) {
        String many = result.matchedInWords()
                + (result.matched() == 1 ? " message" : " messages")
                + (which.route == null ? "" : " of " + topics.size() + (topics.size() == 1 ? " topic" : " topics"));
        if (dryRun) {
            out().println("replay would send " + many + " to '" + destination + "'; nothing was changed.");
            return;
        }
        out().println("replay sends " + result.changed() + " of " + many + " to '" + destination + "'.");
        if (result.leftAlone() > 0) {
            out().println(result.leftAlone() + (result.leftAlone() == 1 ? " is" : " are")
                    + " not delivered yet, after an earlier replay or a retry, and left alone: 'postroom list"
                    + " --topic TOPIC' shows where they are.");
        }
        if (result.changed() == limit && result.changed() + result.leftAlone() < result.matched()) {
            out().println("It ended at --limit " + limit + ": the rest was not sent.");
        }
    }

    private void remarkIfAbsent(Operations operations) {
        AbsentDestination.of(destination, operations.routings(), operations.nodes())
                .ifPresent(absent -> remark(
                        "postroom: " + absent.text() + ": what is replayed to it waits; " + AbsentDestination.ADVICE));
    }
}
