package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.ScriptRun;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;

class MariaDbOperationsTest extends JdbcOperationsContract {
    private static TestDatabase database;

    @BeforeAll
    static void create() throws Exception {
        database = MariaDb.newest().freshDatabase();
        ScriptRun.run(database.dataSource(), "mariadb", TableNames.DEFAULT);
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
