package dev.postroom.server.cli;

import dev.postroom.operations.ActionResult;
import dev.postroom.operations.ReleaseRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "release",
        description =
                "Unblocks a stream: all messages of a tenant and key, or only those of a topic, or only those named.",
        footer = {"", "Example:", "  postroom release --key order-42 --reason 'order 42 was settled by hand'"})
final class ReleaseCommand extends PostroomCommand {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Only these messages of the stream; default: all that hold it.")
    private List<UUID> ids = new ArrayList<>();

    @Option(names = "--key", required = true, paramLabel = "KEY", order = 1, description = "The stream's key.")
    private String key = "";

    @Option(names = "--tenant", paramLabel = "TENANT", order = 2, description = "The stream's tenant.")
    private String tenant = "";

    @Option(names = "--topic", paramLabel = "TOPIC", order = 3, description = "Only messages of this topic.")
    private @Nullable String topic;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Override
    public Integer call() {
        String reason = audit.required(this);
        ReleaseRequest stream = ReleaseRequest.of(tenant, key).topic(topic);
        ActionResult result = root().installation()
                .operations(audit.actor(this))
                .releaseStream(ids.isEmpty() ? stream : stream.only(ids), reason);
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
