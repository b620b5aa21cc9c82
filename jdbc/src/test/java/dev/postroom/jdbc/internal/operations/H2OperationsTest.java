package dev.postroom.jdbc.internal.operations;

import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;

class H2OperationsTest extends JdbcOperationsContract {
    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = H2.freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
    }

    @Override
    DataSource dataSource() {
        return database.dataSource();
    }

    @Override
    OperationsSql sql() {
        return new H2OperationsSql();
    }
}
