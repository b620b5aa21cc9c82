package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * MariaDB, the newest and the oldest version that Postroom is tested with.
 *
 * <p>The server's default character set is latin1: a table or column that does not name its own cannot hold every
 * text, and a test notices. When the environment variable {@value #VARIABLE} holds a JDBC URL, that server is used
 * instead of starting one.
 */
public final class MariaDb implements DatabaseServer {

    static final String NAME = "mariadb";
    static final String VARIABLE = "POSTROOM_TEST_MARIADB";

    private static final String UNUSUAL = "unusual";

    private static final Map<String, Started<MariaDb>> SERVERS = new ConcurrentHashMap<>();

    private final GivenUrl address;
    private final FreshDatabases fresh;

    private MariaDb(GivenUrl address, boolean outlivesTests) {
        this.address = address;
        this.fresh = new FreshDatabases(database(address.database()), outlivesTests);
    }

    /**
     * The newest supported version, or the one that this run of the tests is about; started at the first call in this JVM, or
     * in this run.
     */
    public static DatabaseServer newest() {
        return version(System.getProperty("postroom.testbed." + NAME, "newest"));
    }

    /** The oldest supported version. */
    public static DatabaseServer oldest() {
        return version("oldest");
    }

    /**
     * The oldest supported version as few set it up: with a binary log, and with auto-commit off for whoever does not say
     * otherwise, which this version does not tell those who connect.
     */
    public static DatabaseServer unusual() {
        return version(UNUSUAL);
    }

    /** The version that the testbed's pom has under this name. */
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
        try {
            MariaDbDataSource dataSource = new MariaDbDataSource(address.withDatabase(name));
            dataSource.setUser(address.username());
            dataSource.setPassword(address.password());
            return new TestDatabase(address.withDatabase(name), address.username(), address.password(), dataSource);
        } catch (SQLException e) {
            throw new TestbedException("not a URL for MariaDB: " + address.withDatabase(name), e);
        }
    }

    private static MariaDb start(String name) {
        @Nullable GivenUrl given = GivenUrl.from(VARIABLE, NAME + " " + name);
        if (given != null) {
            return new MariaDb(given, GivenUrl.isSet(VARIABLE));
        }
        boolean unusual = name.equals(UNUSUAL);
        String age = unusual ? "oldest" : name;
        List<String> options = unusual ? List.of("--autocommit=0", "--log-bin=log") : List.of();
        ServerArchives archives = new ServerArchives();
        String version = archives.version(NAME, age);
        Path archive = archives.archive(NAME, age, VARIABLE);
        try {
            Path programs = MariaDbPrograms.unpacked(archive, "mariadb-" + version);
            return new MariaDb(GivenUrl.parse("url", MariaDbProcess.start(programs, options)), false);
        } catch (IOException e) {
            throw new TestbedException(
                    "MariaDB " + version + " from " + archive + " did not start (" + e.getMessage() + "): or set "
                            + VARIABLE + " to the JDBC URL of a running server with user and password",
                    e);
        }
    }
}
