package dev.postroom.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** One MariaDB server process with a data folder of its own. */
final class MariaDbProcess {

    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final int TRIES = 3;
    private static final String FIRST_STATEMENTS = """
            create user postroom@'%' identified by 'postroom';
            grant all on *.* to postroom@'%' with grant option;
            """;

    private MariaDbProcess() {}

    /** Starts a server and gives its URL with user and password, once it answers. */
    static String start(Path programs, List<String> options) throws IOException {
        Path folder = Files.createTempDirectory("postroom-mariadb-");
        Path log = folder.resolve("server.log");
        install(programs, folder, log);
        // A free port may be taken by somebody else before the server binds it: then the next one.
        for (int tried = 1; ; tried++) {
            int port = freePort();
            Process server = run(programs, folder, log, port, options);
            Watchdog.endWithThisJvm(server.pid(), "TERM", folder);
            String url = "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=postroom&password=postroom";
            if (answers(server, url)) {
                return url;
            }
            if (tried == TRIES || server.isAlive()) {
                server.destroyForcibly();
                throw new IOException("the server does not answer; its log ends with:\n" + Logs.tail(log));
            }
        }
    }

    private static void install(Path programs, Path folder, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("scripts/mariadb-install-db").toString(),
                "--no-defaults",
                "--basedir=" + programs,
                "--datadir=" + folder.resolve("data"),
                "--auth-root-authentication-method=normal",
                "--skip-name-resolve",
                "--skip-test-db"));
        Process install = start(command, log);
        try {
            if (!install.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS) || install.exitValue() != 0) {
                install.destroyForcibly();
                throw new IOException("mariadb-install-db failed:\n" + Logs.tail(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while MariaDB was being installed", e);
        }
    }

    private static Process run(Path programs, Path folder, Path log, int port, List<String> options)
            throws IOException {
        Path statements = folder.resolve("first.sql");
        Files.writeString(statements, FIRST_STATEMENTS, StandardCharsets.UTF_8);
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + programs,
                "--datadir=" + folder.resolve("data"),
                "--socket=" + folder.resolve("server.sock"),
                "--pid-file=" + folder.resolve("server.pid"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--skip-ssl", // making a certificate takes newer servers five seconds
                "--character-set-server=latin1",
                "--collation-server=latin1_swedish_ci",
                "--max-connections=300",
                "--init-file=" + statements));
        command.addAll(options);
        return start(command, log);
    }

    private static Process start(List<String> command, Path log) throws IOException {
        List<String> all = new ArrayList<>(command);
        if (System.getProperty("user.name").equals("root")) {
            all.add("--user=root"); // the server refuses root otherwise
        }
        ProcessBuilder builder = new ProcessBuilder(all);
        // A server that starts removes the temporary tables that it finds there, also those of one that runs.
        builder.environment()
                .put("TMPDIR", Objects.requireNonNull(log.getParent()).toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static boolean answers(Process server, String url) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (server.isAlive() && System.nanoTime() < deadline) {
            try (Connection connection = DriverManager.getConnection(url)) {
                return connection.isValid(5);
            } catch (SQLException notYet) {
                pause();
            }
        }
        return false;
    }

    /** A server that starts tells nobody when it is ready, so it is asked again until the deadline. */
    private static void pause() throws IOException {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while MariaDB was starting", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
