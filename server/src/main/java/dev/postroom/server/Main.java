package dev.postroom.server;

import dev.postroom.server.cli.PostroomCommandLine;
import dev.postroom.server.cli.Surroundings;

/** The command line of Postroom: {@code postroom COMMAND}. */
public final class Main {
    private Main() {}

    /** Runs one command and exits with its code: 0 success, 1 failure, 2 wrong usage. */
    public static void main(String[] args) {
        Surroundings surroundings = Surroundings.ofProcess();
        // Logs, drivers and threads that die print there by themselves.
        System.setErr(surroundings.secrets().guard(System.err));
        System.exit(PostroomCommandLine.run(surroundings, args));
    }
}
