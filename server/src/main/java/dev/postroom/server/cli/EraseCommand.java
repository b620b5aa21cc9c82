package dev.postroom.server.cli;

import dev.postroom.operations.ErasureRequest;
import dev.postroom.operations.ErasureResult;
import dev.postroom.operations.Operations;
import dev.postroom.server.output.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "erase",
        description = "Removes one person's messages, and all that is kept about them, for good.",
        footer = {
            "",
            "Examples:",
            "  postroom erase --key 42 --dry-run",
            "  postroom erase --key 42 --reason 'ticket 77'",
            "The audit keeps the reason: do not name there whom you erase."
        })
final class EraseCommand extends PostroomCommand {
    @Parameters(paramLabel = "ID", arity = "0..*", description = "The messages; or all that have a key, with --key.")
    private List<UUID> ids = new ArrayList<>();

    @Option(
            names = "--key",
            paramLabel = "KEY",
            order = 1,
            description = "Everything with this key, whatever its topic.")
    private @Nullable String key;

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            order = 2,
            description = "Whose key it is; default: that of messages without a tenant.")
    private @Nullable String tenant;

    @Option(names = "--dry-run", order = 42, description = "Only say how much there is, and where.")
    private boolean dryRun;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Override
    public Integer call() {
        ErasureRequest request = request();
        String reason = dryRun ? "" : audit.required(this);
        Operations operations = root().installation().operations(audit.actor(this));
        try (Progress progress = new Progress(terminal(), "erased")) {
            report(dryRun ? operations.dryRunErase(request) : operations.erase(request, reason, progress));
        }
        return SUCCESS;
    }

    private ErasureRequest request() {
        if ((key == null) == ids.isEmpty()) {
            throw wrongUsage("say what to erase: either --key KEY or message ids");
        }
        if (key == null && tenant != null) {
            throw wrongUsage("--tenant goes with --key: leave it out, ids are unique");
        }
        return key != null ? ErasureRequest.ofKey(tenant, key) : ErasureRequest.ofIds(ids);
    }

    private void report(ErasureResult result) {
        print(result, () -> {
            ErasureResult.Places places = result.places();
            out().println((dryRun ? "erase would remove " : "erase removed ")
                    + result.matched() + (result.matched() == 1 ? " message: " : " messages: ")
                    + places.live() + " live and " + places.archived() + " archived rows, "
                    + places.attempts() + " failed attempts, " + places.idempotencyKeys() + " idempotency keys, "
                    + places.inbox() + " inbox records" + (dryRun ? "; nothing was changed." : "."));
        });
    }
}
