package dev.postroom.testkit.contract;

import dev.postroom.spi.Schema;
import dev.postroom.testkit.InMemoryDatabase;
import dev.postroom.testkit.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** In-memory databases as the contracts want them. Their clocks run: the contracts wait for time to pass. */
final class InMemoryUnderTest implements DatabaseUnderTest {
    private InMemoryDatabase shared;

    @Override
    public Kind kind() {
        return Kind.H2;
    }

    @Override
    public synchronized DataSource dataSource() {
        if (shared == null) {
            shared = InMemoryDatabase.empty(ManualClock.running());
        }
        return shared.dataSource();
    }

    @Override
    public FreshDatabase freshDatabase() {
        InMemoryDatabase database = InMemoryDatabase.empty(ManualClock.running());
        return new FreshDatabase() {
            @Override
            public String name() {
                try (Connection connection = database.dataSource().getConnection()) {
                    return connection.getCatalog();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public DataSource owner() {
                return database.dataSource();
            }

            @Override
            public DataSource user(String username, String password) {
                throw new UnsupportedOperationException("H2 has no contract about users");
            }
        };
    }

    @Override
    public Schema schemaWith(DataSource dataSource, List<String> scripts) {
        throw new UnsupportedOperationException("what comes after this version is tested in the store's module");
    }

    @Override
    public DataSource unreachable() {
        JdbcDataSource nowhere = new JdbcDataSource();
        nowhere.setURL("jdbc:h2:tcp://127.0.0.1:1/nowhere");
        nowhere.setUser("nobody");
        nowhere.setPassword("s3cret");
        return nowhere;
    }
}
