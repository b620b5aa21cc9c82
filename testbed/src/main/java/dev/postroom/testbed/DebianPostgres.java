package dev.postroom.testbed;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * PostgreSQL as Debian ships it, this one or a later one: unlike the embedded one it has LLVM and compiles what it takes for dear. It
 * runs with the configuration that comes with it, apart from where it listens and how many may connect.
 */
final class DebianPostgres {

    /** The version of Debian's package: the machine's own, 15 in Debian 12. */
    static final String DEBIANS_OWN = "debian";

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Path IN_DEBIAN_12 = VERSIONS.resolve("15/bin/postgres");
    private static final File TEMPORARY = new File(System.getProperty("java.io.tmpdir"));
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    /** Names a version of a later Debian, such as debian-17. */
    private static final String LATER = DEBIANS_OWN + "-";

    private final Path programs;
    private final RunsAs user;

    private DebianPostgres(Path programs, RunsAs user) {
        this.programs = programs;
        this.user = user;
    }

    /** Whether it is a version of some Debian. */
    static boolean has(String version) {
        return version.equals(DEBIANS_OWN) || version.startsWith(LATER);
    }

    /** Installs, or unpacks, what is missing if we may. */
    static DebianPostgres version(String version) throws IOException {
        return version.equals(DEBIANS_OWN) ? installed() : later(version.substring(LATER.length()));
    }

    private static DebianPostgres later(String number) throws IOException {
        NewerPrograms packages =
                new NewerPrograms("postgresql", "postgresql-" + number, List.of("dash", "coreutils", "libc-bin"));
        RunsAs nobody = packages.version(number).nobody();
        return new DebianPostgres(VERSIONS.resolve(number).resolve("bin"), nobody);
    }

    private static DebianPostgres installed() throws IOException {
        Optional<Path> newest = newest();
        if (newest.isEmpty()) {
            DebianPackage.require(IN_DEBIAN_12, "postgresql");
            newest = newest();
        }
        return new DebianPostgres(
                newest.orElseThrow(() -> new IOException("no server below " + VERSIONS)), ServiceUser.POSTGRES);
    }

    private static Optional<Path> newest() throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(VERSIONS)) {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(VERSIONS, "[0-9][0-9]")) {
                for (Path version : versions) {
                    if (Files.isExecutable(version.resolve("bin/postgres"))) {
                        found.add(version.resolve("bin"));
                    }
                }
            }
        }
        return found.stream().max(Comparator.naturalOrder());
    }

    /** Such as {@code postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)}. */
    String version() throws IOException {
        return run("postgres", "--version").strip();
    }

    /** Starts a server and gives its URL with user and password, once it answers. */
    String start() throws IOException {
        Path folder = Files.createTempDirectory("postroom-postgresql-debian-");
        user.own(folder);
        Path data = folder.resolve("data");
        run("initdb", "-D", data.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8");
        int port = Ports.free(1);
        String options = "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + folder
                + " -c max_connections=300";
        Path log = folder.resolve("server.log");
        run("pg_ctl", "-D", data.toString(), "-w", "-l", log.toString(), "-o", options, "start");
        long postmaster = Postgres.processId(data);
        Watchdog.endWithThisJvm(postmaster, "QUIT", folder);
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&password=postgres";
    }

    private String run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(programs.resolve(program).toString()));
        command.addAll(List.of(arguments));
        return Command.run(program, new ProcessBuilder(user.command(command)).directory(TEMPORARY), START_LIMIT);
    }
}
