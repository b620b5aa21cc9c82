package dev.postroom.server.cli;

import dev.postroom.Stream;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "release",
        description = "Unblocks a stream, or lets only the messages named go on.",
        footer = {
            "",
            "Example:",
            "  postroom release --topic orders.created --key 42 --reason 'order 42 was settled by hand'"
        })
final class ReleaseCommand extends PostroomCommand {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Only these messages of the stream; default: all that hold it.")
    private List<UUID> ids = new ArrayList<>();

    @Option(names = "--topic", required = true, paramLabel = "TOPIC", order = 1, description = "The stream's topic.")
    private String topic = "";

    @Option(names = "--key", required = true, paramLabel = "KEY", order = 2, description = "The stream's key.")
    private String key = "";

    @Option(names = "--tenant", paramLabel = "TENANT", order = 3, description = "The stream's tenant.")
    private String tenant = "";

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Override
    public Integer call() {
        String reason = audit.required(this);
        Stream stream = new Stream(tenant, topic, key);
        Operations operations = root().installation().operations(audit.actor(this));
        ActionResult result = ids.isEmpty()
                ? operations.releaseStream(stream, reason)
                : operations.releaseStream(stream, ids, reason);
        print(
                result,
                () -> out().println(
                                result.changed() == 0
                                        ? "Nothing to release: 'postroom list --status blocked' shows what is held."
                                        : "Released " + result.changed()
                                                + (result.changed() == 1 ? " message." : " messages.")));
        return ids.isEmpty() || result.changed() > 0 ? SUCCESS : FAILURE;
    }
}
