package dev.postroom.benchmark;

import dev.postroom.benchmark.chaos.ChaosCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures Postroom: {@code postroom bench}, and whatever else the launcher sends here. */
@Command(
        name = "postroom",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {BenchCommand.class, SimulateCommand.class, ChaosCommand.class},
        description = "Measures Postroom on this machine.")
public final class Main implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    private Main() {}

    /** Runs one command and exits with its code: 0 success, 1 failure, 2 wrong usage. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** Reads the version from the jar's manifest. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"postroom-benchmark " + (version == null ? "(not built as a jar)" : version)};
        }
    }
}
