package dev.postroom.benchmark;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The measurements. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DrainCommand.class,
            WriteCommand.class,
            LatencyCommand.class,
            BacklogCommand.class,
            PeersCommand.class,
            AdminCommand.class
        },
        description =
                "Measures Postroom beside raw SQL, or beside other outboxes, in the same run; starts its own servers.")
final class BenchCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to measure: drain, write, latency, backlog, peers or admin");
    }
}
