package dev.postroom.server.cli;

import dev.postroom.operations.ShellWord;
import dev.postroom.server.database.Installation;
import dev.postroom.server.output.Terminal;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code postroom} itself: the options that every command has, and the way from them to an installation. */
@Command(
        name = "postroom",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "A transactional outbox for the JVM.",
        footer = {
            "",
            "Settings come from the settings file, environment variables (POSTROOM_DATABASE_URL) and system",
            "properties (-Dpostroom.database.url=…); the later wins. 'postroom COMMAND --help' says more.",
            "Exit codes: 0 success, 1 failure, 2 wrong usage; 3 when serve or demo has run out of memory."
        })
final class Root implements Runnable, AutoCloseable {
    private static final String DEFAULT_FILE = "postroom.yml";

    private final Surroundings surroundings;
    private @Nullable Installation installation;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            order = 100,
            description = "Settings file; default: " + DEFAULT_FILE + " when there is one.")
    private @Nullable Path config;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            order = 101,
            description = "Print one JSON document and nothing else.")
    private boolean json;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            order = 102,
            description = "Show the stack trace of a failure.")
    private boolean verbose;

    Root(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal().out());
    }

    boolean json() {
        return json;
    }

    boolean verbose() {
        return verbose;
    }

    /** What a command line that is printed to be copied needs at its end, to be about the same database as this one. */
    String sameSettings() {
        return config == null ? "" : " --config " + ShellWord.of(config.toString());
    }

    Surroundings surroundings() {
        return surroundings;
    }

    Terminal terminal() {
        return surroundings.terminal();
    }

    Settings settings() {
        Path file = surroundings.directory().resolve(DEFAULT_FILE);
        @Nullable Path chosen = config != null ? config : Files.exists(file) ? file : null;
        SettingsSources sources = new SettingsSources(chosen, surroundings.environment(), surroundings.properties());
        surroundings.secrets().learn(sources.secrets());
        return Settings.load(sources);
    }

    /** The one that this command works on; opened when it is first asked. */
    Installation installation() {
        if (installation == null) {
            installation = new Installation(settings());
        }
        return installation;
    }

    @Override
    public void close() {
        if (installation != null) {
            installation.close();
        }
    }
}
