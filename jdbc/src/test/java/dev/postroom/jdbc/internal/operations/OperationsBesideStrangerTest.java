package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.stranger.Stranger;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** All that operators may rely on, where a stranger has a better match for every call that is not exact. */
@Tag("long")
class OperationsBesideStrangerTest extends JdbcOperationsContract {
    private static TestDatabase database;

    @BeforeAll
    static void create() throws SQLException {
        database = Postgres.oldest().freshDatabase();
        Stranger.in(database);
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
    }

    @Override
    DataSource dataSource() {
        return database.dataSource();
    }

    @Override
    OperationsSql sql() {
        return new PostgresOperationsSql();
    }
}
