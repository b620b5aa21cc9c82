package dev.postroom.benchmark;

import picocli.CommandLine.Option;

/** What measurements on a database of one's choice share. */
class BenchOptions {
    @Option(
            names = "--store",
            defaultValue = "postgresql",
            description = "${COMPLETION-CANDIDATES}, default ${DEFAULT-VALUE}")
    Databases store = Databases.postgresql;

    @Option(names = "--json", description = "one JSON document per measurement")
    boolean json;

    /** And those that take the middle of several rounds. */
    static final class InRounds extends BenchOptions {
        @Option(names = "--rounds", defaultValue = "3", description = "how often, default ${DEFAULT-VALUE}")
        int rounds;
    }
}
