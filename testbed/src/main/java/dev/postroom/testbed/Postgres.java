package dev.postroom.testbed;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PostgreSQL, the newest and the oldest version that Postroom supports.
 *
 * <p>It is durable as in production (fsync and synchronous commit are on) and ready for logical replication. When the
 * environment variable {@value #VARIABLE} holds a JDBC URL, that server is used instead of starting one.
 */
public final class Postgres implements DatabaseServer {

    static final String NAME = "postgresql";

    /** The system property that chooses the version which {@link #newest()} stands for. */
    public static final String VERSION = "postroom.testbed." + NAME;

    static final String VARIABLE = "POSTROOM_TEST_POSTGRESQL";

    private static final Map<String, Started<Postgres>> SERVERS = new ConcurrentHashMap<>();

    private final GivenUrl address;
    private final FreshDatabases fresh;

    private Postgres(GivenUrl address, boolean outlivesTests) {
        this.address = address;
        this.fresh = new FreshDatabases(database(address.database()), outlivesTests);
    }

    /**
     * The newest supported version, or the one that this run of the tests is about; started at the first call in this JVM, or
     * in this run.
     */
    public static DatabaseServer newest() {
        return version(System.getProperty(VERSION, "newest"));
    }

    /** The oldest supported version. */
    public static DatabaseServer oldest() {
        return version("oldest");
    }

    /** Debian's own server, which compiles plans that look dear; the others cannot. */
    public static DatabaseServer debian() {
        return version(DebianPostgres.DEBIANS_OWN);
    }

    /**
     * Fetches what a version needs beside what the build has fetched, and gives the exact version where only that tells.
     *
     * @throws IOException when it cannot be had on this machine
     */
    public static Optional<String> prepare(String version) throws IOException {
        return DebianPostgres.has(version)
                ? Optional.of(DebianPostgres.version(version).version())
                : Optional.empty();
    }

    /** The version that the testbed's pom has under this name, or a Debian's. */
    static DatabaseServer version(String version) {
        return SERVERS.computeIfAbsent(version, name -> new Started<>(() -> start(name)))
                .get();
    }

    @Override
    public String url() {
        return address.url();
    }

    @Override
    public String username() {
        return address.username();
    }

    @Override
    public String password() {
        return address.password();
    }

    @Override
    public TestDatabase freshDatabase() {
        return database(fresh.create());
    }

    private TestDatabase database(String name) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(address.withDatabase(name));
        dataSource.setUser(address.username());
        dataSource.setPassword(address.password());
        return new TestDatabase(address.withDatabase(name), address.username(), address.password(), dataSource);
    }

    private static Postgres start(String age) {
        @Nullable GivenUrl given = GivenUrl.from(VARIABLE, NAME + " " + age);
        if (given != null) {
            return new Postgres(given, GivenUrl.isSet(VARIABLE));
        }
        if (DebianPostgres.has(age)) {
            return startDebians(age);
        }
        ServerArchives archives = new ServerArchives();
        Path archive = archives.archive(NAME, age, VARIABLE);
        try {
            return start(archive);
        } catch (IOException | RuntimeException e) {
            throw new TestbedException(
                    "PostgreSQL " + archives.version(NAME, age) + " from " + archive
                            + " did not start (as root it needs the program unshare): or set " + VARIABLE
                            + " to the JDBC URL of a running server with user and password",
                    e);
        }
    }

    private static Postgres startDebians(String version) {
        try {
            return new Postgres(
                    GivenUrl.parse("url", DebianPostgres.version(version).start()), false);
        } catch (IOException e) {
            throw new TestbedException(
                    "Debian's PostgreSQL did not start (" + e.getMessage() + "): or set " + VARIABLE
                            + " to the JDBC URL of a running server with user and password",
                    e);
        }
    }

    /**
     * One of the newest version that speaks TLS with this certificate, and to user {@code certified} only with a certificate
     * of the same authority. The URL has no options. It ends with the JVM.
     */
    public static DatabaseServer startWithTls(Path folder, Identity shown) {
        Path certificate = folder.resolve("postgresql.pem");
        Path key = folder.resolve("postgresql.key");
        shown.write(certificate, key);
        Path authority = Pem.write(folder.resolve("postgresql-ca.pem"), Pem.of(shown.authority()));
        Path rules = Pem.write(folder.resolve("pg_hba.conf"), """
                local all all trust
                hostssl all certified 127.0.0.1/32 trust clientcert=verify-ca
                host all certified 127.0.0.1/32 reject
                host all all 127.0.0.1/32 trust
                """);
        try {
            return start(
                    new ServerArchives().archive(NAME, "newest", VARIABLE),
                    Map.of(
                            "ssl", "on",
                            "ssl_cert_file", certificate.toString(),
                            "ssl_key_file", key.toString(),
                            "ssl_ca_file", authority.toString(),
                            "hba_file", rules.toString()));
        } catch (IOException e) {
            throw new TestbedException("PostgreSQL did not start with TLS", e);
        }
    }

    private static Postgres start(Path archive) throws IOException {
        return start(archive, Map.of());
    }

    @SuppressWarnings("resource") // ends with the JVM
    private static Postgres start(Path archive, Map<String, String> more) throws IOException {
        Path data = Files.createTempDirectory("postroom-postgresql-");
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        more.forEach(builder::setServerConfig);
        EmbeddedPostgres server = builder.setPgBinaryResolver((system, hardware) -> programs(archive))
                .setDataDirectory(data)
                .setServerConfig("wal_level", "logical")
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "300")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        long postmaster = processId(data);
        Watchdog.endWithThisJvm(postmaster, "QUIT", data);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAtOnce(postmaster), "testbed-postgresql-stop"));
        String url = "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres&password=postgres";
        return new Postgres(GivenUrl.parse("url", url), false);
    }

    /** Without the checkpoint of an orderly end, which takes longer than a test JVM waits: the data is thrown away. */
    private static void stopAtOnce(long postmaster) {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster)).start();
        } catch (IOException e) {
            // the watchdog does it then
        }
    }

    /** The programs are one compressed file inside the archive. */
    private static InputStream programs(Path archive) throws IOException {
        try (JarFile jar = new JarFile(archive.toFile())) {
            ZipEntry entry = jar.stream()
                    .filter(candidate -> candidate.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no .txz in " + archive));
            try (InputStream in = jar.getInputStream(entry)) {
                return new ByteArrayInputStream(in.readAllBytes());
            }
        }
    }

    static long processId(Path data) throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    }
}
