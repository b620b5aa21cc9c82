package dev.postroom.jdbc.contract;

import dev.postroom.jdbc.internal.LaterVersion;
import dev.postroom.spi.Schema;
import dev.postroom.testbed.DatabaseServer;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import dev.postroom.testkit.contract.DatabaseUnderTest;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A server of the testbed as the contracts want it; nothing is started before the first test asks. Each database's class
 * lists its contracts itself instead of inheriting them, because reports name a test by the class it is nested in: an
 * inherited one would not say on which database it failed.
 */
final class ContractDatabase implements DatabaseUnderTest {
    private final Kind kind;
    private final Supplier<TestDatabase> fresh;
    private TestDatabase shared;

    private ContractDatabase(Kind kind, Supplier<TestDatabase> fresh) {
        this.kind = kind;
        this.fresh = fresh;
    }

    static ContractDatabase of(Kind kind, Supplier<DatabaseServer> server) {
        return new ContractDatabase(kind, () -> server.get().freshDatabase());
    }

    static ContractDatabase h2() {
        return new ContractDatabase(Kind.H2, H2::freshDatabase);
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public synchronized DataSource dataSource() {
        if (shared == null) {
            shared = fresh.get();
        }
        return shared.dataSource();
    }

    @Override
    public FreshDatabase freshDatabase() {
        TestDatabase database = fresh.get();
        return new FreshDatabase() {
            @Override
            public String name() {
                String address = database.url().replaceAll("[?;].*", "");
                return address.substring(address.lastIndexOf(kind == Kind.H2 ? ':' : '/') + 1);
            }

            @Override
            public DataSource owner() {
                return database.dataSource();
            }

            @Override
            public DataSource user(String username, String password) {
                return connect(kind, database.url(), username, password);
            }
        };
    }

    @Override
    public Schema schemaWith(DataSource dataSource, List<String> scripts) {
        return LaterVersion.of(dataSource, scripts);
    }

    @Override
    public DataSource unreachable() {
        String url = switch (kind) {
            case POSTGRESQL -> "jdbc:postgresql://127.0.0.1:1/nowhere";
            case MARIADB -> "jdbc:mariadb://127.0.0.1:1/nowhere";
            case H2 -> "jdbc:h2:tcp://127.0.0.1:1/nowhere";
        };
        return connect(kind, url, "nobody", "s3cret");
    }

    private static DataSource connect(Kind kind, String url, String username, String password) {
        try {
            switch (kind) {
                case POSTGRESQL -> {
                    PGSimpleDataSource dataSource = new PGSimpleDataSource();
                    dataSource.setUrl(url);
                    dataSource.setUser(username);
                    dataSource.setPassword(password);
                    return dataSource;
                }
                case MARIADB -> {
                    MariaDbDataSource dataSource = new MariaDbDataSource(url);
                    dataSource.setUser(username);
                    dataSource.setPassword(password);
                    return dataSource;
                }
                default -> {
                    JdbcDataSource dataSource = new JdbcDataSource();
                    dataSource.setURL(url);
                    dataSource.setUser(username);
                    dataSource.setPassword(password);
                    return dataSource;
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("not a URL of this database: " + url, e);
        }
    }
}
