package dev.postroom.server.cli;

import dev.postroom.operations.MessageStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import picocli.CommandLine;

/** Puts the commands together. */
public final class PostroomCommandLine {
    private PostroomCommandLine() {}

    /** Runs one command and returns its exit code: 0 success, 1 failure, 2 wrong usage. */
    public static int run(Surroundings surroundings, String... args) {
        if (surroundings.garbled(args)) {
            return refuseGarbled(surroundings);
        }
        try (Root root = new Root(surroundings)) {
            return configure(commands(root), root).execute(args);
        }
    }

    private static int refuseGarbled(Surroundings surroundings) {
        surroundings
                .terminal()
                .err()
                .println("postroom: an argument has characters that this locale cannot tell Java: set"
                        + " LC_ALL=C.UTF-8, or use --data-file for a payload");
        surroundings.terminal().err().flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static CommandLine commands(Root root) {
        CommandLine line = new CommandLine(root)
                .addSubcommand(new DemoCommand())
                .addSubcommand(new ServeCommand())
                .addSubcommand(new MigrateCommand())
                .addSubcommand(new PublishCommand())
                .addSubcommand(new ListCommand())
                .addSubcommand(new ShowCommand())
                .addSubcommand(new StatsCommand())
                .addSubcommand(new RetryCommand())
                .addSubcommand(new DeadLetterCommand())
                .addSubcommand(new SkipCommand())
                .addSubcommand(new DeleteCommand())
                .addSubcommand(new ReleaseCommand())
                .addSubcommand(new PauseCommand())
                .addSubcommand(new ResumeCommand())
                .addSubcommand(new ReplayCommand())
                .addSubcommand(new PurgeCommand())
                .addSubcommand(new EraseCommand())
                .addSubcommand(new NodesCommand())
                .addSubcommand(new AuditCommand())
                .addSubcommand(new DoctorCommand())
                .addSubcommand(new CompletionCommand());
        line.getSubcommands().values().forEach(PostroomCommandLine::keepOrder);
        return line;
    }

    /** Options in the order of their numbers, not of the alphabet: what a command is about comes first. */
    private static void keepOrder(CommandLine command) {
        command.getCommandSpec().usageMessage().sortOptions(false).sortSynopsis(false);
    }

    private static CommandLine configure(CommandLine line, Root root) {
        int width = root.terminal().width();
        return line.setOut(root.terminal().out())
                .setErr(root.terminal().err())
                // "--data @home" is data, not the name of a file with more arguments.
                .setExpandAtFiles(false)
                .setUsageHelpWidth(width == 0 ? 100 : Math.max(60, Math.min(width, 120)))
                .setUsageHelpLongOptionsMaxWidth(38)
                .registerConverter(Duration.class, Values::duration)
                .registerConverter(Instant.class, Values::time)
                .registerConverter(MessageStatus.class, Values::status)
                .registerConverter(UUID.class, Values::id)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler(new Failure(root));
    }
}
