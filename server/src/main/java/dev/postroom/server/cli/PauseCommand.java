package dev.postroom.server.cli;

import dev.postroom.admin.view.PauseView;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "pause",
        description = "Stops sending: everything, to one destination, or of one topic.",
        footer = {
            "",
            "Examples:",
            "  postroom pause --destination billing --reason 'maintenance until 22:00'",
            "  postroom pause"
        })
final class PauseCommand extends PostroomCommand {
    @Mixin
    private final PauseOptions options = new PauseOptions();

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Override
    public Integer call() {
        Pause.Target target = options.target();
        Operations operations = root().installation().operations(audit.actor(this));
        if (target.destination() != null) {
            PauseOptions.remarkIfUnknown(target.destination(), operations, this);
        }
        operations.pause(target, audit.orNone());
        print(
                PauseView.of(target, true, true),
                () -> out().println(PauseOptions.describe(target)
                        + " is paused until 'postroom resume'; messages wait and are not lost."));
        return SUCCESS;
    }
}
