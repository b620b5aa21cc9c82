package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.postgresql.Plan;
import dev.postroom.jdbc.internal.postgresql.PlanRecorder;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The server tells with each plan how many rows it looked at. First with no statistics, as after many came at once. */
class PostgresBoundedReadsTest extends BoundedReadsContract {
    private final TestDatabase database = Postgres.newest().freshDatabase();
    private final PlanRecorder recorder = new PlanRecorder(database.dataSource());

    @Override
    TestDatabase database() throws SQLException {
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        for (String table : new String[] {"message", "archive_default", "attempt", "audit", "node"}) {
            execute("ALTER TABLE postroom_" + table + " SET (autovacuum_enabled = off)");
        }
        return database;
    }

    @Test
    @Order(2)
    void every_read_costs_the_same_with_fresh_statistics_too() throws SQLException {
        execute("ANALYZE");
        assertCostsTheSame();
    }

    @Override
    DataSource watched() {
        return recorder.dataSource();
    }

    @Override
    OperationsSql sql() {
        return new PostgresOperationsSql();
    }

    @Override
    String written(String statement, int numbers) {
        return statement
                .replace("X'00'", "'\\x00'::bytea")
                .replace("{now}", "clock_timestamp()")
                .replace("{tomorrow}", "clock_timestamp() + interval '1 day'")
                .replace("{id}", "gen_random_uuid()")
                .replace("{numbers}", "generate_series(1, " + numbers + ") n");
    }

    @Override
    long lookedAt() {
        return recorder.take().stream()
                .mapToLong(notice -> Plan.parse(notice).tableRowsLookedAt())
                .sum();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
