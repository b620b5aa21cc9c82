package dev.postroom.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Debian's PgBouncer in front of a PostgreSQL server. Each transaction, or each statement, goes to any of the few sessions that it
 * holds per database.
 */
public final class PgBouncer implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final Process watchdog;
    private final Path folder;
    private final int port;

    private PgBouncer(Process process, Path folder, int port) throws IOException {
        this.process = process;
        this.watchdog = Watchdog.endWithThisJvm(process.pid(), "INT", folder);
        this.folder = folder;
        this.port = port;
    }

    /**
     * Starts one.
     *
     * @param mode its pool_mode: transaction or statement
     * @param sessions how many the server has to bear per database
     * @throws TestbedException when it cannot be had or does not start
     */
    public static PgBouncer inFrontOf(DatabaseServer server, String mode, int sessions) {
        try {
            DebianPackage.require(PROGRAM, "pgbouncer");
            Path folder = Files.createTempDirectory("postroom-pgbouncer-");
            int port = Ports.free(1);
            Path users = folder.resolve("users.txt");
            Files.writeString(users, "\"%s\" \"%s\"\n".formatted(server.username(), server.password()));
            Path settings = folder.resolve("pgbouncer.ini");
            Files.writeString(settings, settings(server, port, users, mode, sessions));
            for (Path file : List.of(folder, users, settings)) {
                ServiceUser.POSTGRES.own(file);
            }
            Process process = new ProcessBuilder(
                            ServiceUser.POSTGRES.command(List.of(PROGRAM.toString(), "-q", settings.toString())))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("pgbouncer.log").toFile())
                    .start();
            PgBouncer started = new PgBouncer(process, folder, port);
            started.awaitAnswer();
            return started;
        } catch (IOException e) {
            throw new TestbedException("PgBouncer did not start: " + e.getMessage(), e);
        }
    }

    private static String settings(DatabaseServer server, int port, Path users, String mode, int sessions) {
        String address = server.url().replaceFirst("^jdbc:postgresql://", "").replaceFirst("/.*$", "");
        String[] hostAndPort = address.split(":", -1);
        return """
                [databases]
                * = host=%s port=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = %s
                default_pool_size = %d
                max_client_conn = 300
                """.formatted(hostAndPort[0], hostAndPort[1], port, users, mode, sessions);
    }

    /** The same database, reached through this pooler. */
    public TestDatabase to(TestDatabase database) {
        String url = database.url().replaceFirst("//[^/]*/", "//127.0.0.1:" + port + "/");
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(database.username());
        dataSource.setPassword(database.password());
        return new TestDatabase(url, database.username(), database.password(), dataSource);
    }

    /** It tells nobody when it is ready, so it is asked again until the deadline. */
    private void awaitAnswer() throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException notYet) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw new IOException("it does not answer:\n" + Logs.tail(folder.resolve("pgbouncer.log")), notYet);
                }
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while PgBouncer was starting", e);
            }
        }
    }

    /** Ends it at once, and with it the connections through it. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
        watchdog.destroy();
    }
}
