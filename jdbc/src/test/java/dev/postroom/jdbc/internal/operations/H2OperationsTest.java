package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.ScriptRun;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;

class H2OperationsTest extends JdbcOperationsContract {
    private static TestDatabase database;

    @BeforeAll
    static void create() throws Exception {
        database = H2.freshDatabase();
        ScriptRun.run(database.dataSource(), "h2", TableNames.DEFAULT);
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
