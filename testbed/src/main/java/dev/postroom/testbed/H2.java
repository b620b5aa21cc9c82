package dev.postroom.testbed;

import java.nio.file.Path;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;

/** H2 inside this JVM: nothing to start, a database is a name. */
public final class H2 {

    private H2() {}

    /** An empty database in memory; it lives as long as the JVM. */
    public static TestDatabase freshDatabase() {
        return database("jdbc:h2:mem:" + name() + ";DB_CLOSE_DELAY=-1");
    }

    /** An empty database in a file under the folder, for tests that close and reopen it. */
    public static TestDatabase freshDatabase(Path folder) {
        return database("jdbc:h2:file:" + folder.toAbsolutePath().resolve(name()));
    }

    /** An empty database in a file under the folder that other processes can open at the same time. */
    public static TestDatabase sharedDatabase(Path folder) {
        return database("jdbc:h2:file:" + folder.toAbsolutePath().resolve(name()) + ";AUTO_SERVER=TRUE");
    }

    private static TestDatabase database(String url) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser("sa");
        dataSource.setPassword("");
        return new TestDatabase(url, "sa", "", dataSource);
    }

    private static String name() {
        return "test_" + UUID.randomUUID().toString().replace("-", "");
    }
}
