package dev.postroom.server.cli;

import dev.postroom.secrets.GuardedUrl;
import dev.postroom.server.text.Nearest;
import dev.postroom.server.text.Printable;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what was typed wrong, what was probably meant, and how it goes; exit code 2. */
final class WrongUsage implements IParameterExceptionHandler {

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("postroom: " + Printable.line(problem(e)));
        err.print("Usage: " + command.getHelp().synopsis("Usage: ".length()));
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String problem(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
        }
        CommandLine command = e.getCommandLine();
        String typed = GuardedUrl.of(unmatched.getUnmatched().get(0)).shown();
        if (typed.startsWith("-")) {
            String name = typed.contains("=") ? typed.substring(0, typed.indexOf('=')) : typed;
            return command.getCommandName() + " has no option " + name + Nearest.hint(name, options(command));
        }
        Collection<String> commands = command.getSubcommands().keySet();
        return commands.isEmpty()
                ? command.getCommandName() + " does not understand '" + typed + "'"
                : "there is no command '" + typed + "'" + Nearest.hint(typed, commands);
    }

    private static List<String> options(CommandLine command) {
        return List.copyOf(command.getCommandSpec().optionsMap().keySet());
    }
}
