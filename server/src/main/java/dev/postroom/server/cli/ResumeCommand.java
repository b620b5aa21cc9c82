package dev.postroom.server.cli;

import dev.postroom.admin.view.PauseView;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "resume",
        description =
                "Goes on sending what was paused, and tries at once what relays hold because it was down or failed everything.",
        footer = {"", "Examples:", "  postroom resume --destination billing", "  postroom resume"})
final class ResumeCommand extends PostroomCommand {
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
        boolean wasPaused = operations.resume(target, audit.orNone());
        List<Pause> others = operations.pauses();
        print(PauseView.of(target, false, wasPaused), () -> {
            out().println(PauseOptions.describe(target) + (wasPaused ? " goes on." : " was not paused."));
            if (target.topic() == null) {
                out().println(
                                "Relays that hold a destination because it was down, or failed everything, try again now.");
            }
            if (!others.isEmpty()) {
                out().println("Still paused: "
                        + others.stream()
                                .map(pause -> pause.target().describe())
                                .collect(Collectors.joining(", ")));
            }
        });
        return SUCCESS;
    }
}
