package dev.postroom.server.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints a script that lets bash and zsh complete commands and options.",
        footer = {"", "Example:", "  source <(./postroom completion)"})
final class CompletionCommand extends PostroomCommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec own;

    @Override
    public Integer call() {
        CommandLine whole = own.root().commandLine();
        out().print(AutoComplete.bash("postroom", whole));
        out().println();
        out().flush();
        return SUCCESS;
    }
}
