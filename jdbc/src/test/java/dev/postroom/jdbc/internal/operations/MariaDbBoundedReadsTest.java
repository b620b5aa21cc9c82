package dev.postroom.jdbc.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.internal.OneConnection;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * The server counts what a session reads row by row. First with statistics of the empty table, which it is left with when
 * many messages come at once: it then takes a look-up along an index to be as dear as reading all rows.
 */
class MariaDbBoundedReadsTest extends BoundedReadsContract {
    private static final String LOOKED_AT = """
            SELECT SUM(variable_value) FROM information_schema.session_status
            WHERE variable_name LIKE 'Handler_read_%' OR variable_name = 'Handler_icp_attempts'
            """;

    private Connection connection;
    private long before;

    @Override
    TestDatabase database() throws SQLException {
        TestDatabase database = MariaDb.newest().freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        connection = database.connect();
        for (String table : new String[] {"message", "archive", "attempt", "audit"}) {
            execute("ALTER TABLE postroom_" + table + " STATS_AUTO_RECALC = 0");
        }
        return database;
    }

    @AfterAll
    void close() throws SQLException {
        connection.close();
    }

    @Test
    @Order(2)
    void every_read_costs_the_same_with_fresh_statistics_too() throws SQLException {
        execute("ANALYZE TABLE postroom_message, postroom_archive, postroom_attempt, postroom_audit");
        assertCostsTheSame();
    }

    @Override
    DataSource watched() {
        return new OneConnection(connection);
    }

    @Override
    OperationsSql sql() {
        return new MariaDbOperationsSql();
    }

    @Override
    String written(String statement, int numbers) {
        return statement
                .replace("{now}", "UTC_TIMESTAMP(6)")
                .replace("{tomorrow}", "UTC_TIMESTAMP(6) + INTERVAL 1 DAY")
                .replace("{id}", "UUID()")
                .replace("{numbers}", "(SELECT seq AS n FROM seq_1_to_" + numbers + ") numbers");
    }

    @Override
    long lookedAt() {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LOOKED_AT)) {
            assertThat(row.next()).isTrue();
            long counted = row.getLong(1) - before;
            before += counted;
            return counted;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
