package dev.postroom.jdbc.internal.operations;

import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;

class MariaDbOperationsTest extends JdbcOperationsContract {
    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = MariaDb.newest().freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
    }

    @Override
    DataSource dataSource() {
        return database.dataSource();
    }

    @Override
    OperationsSql sql() {
        return new MariaDbOperationsSql();
    }
}
