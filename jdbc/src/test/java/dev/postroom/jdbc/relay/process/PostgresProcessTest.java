package dev.postroom.jdbc.relay.process;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

class PostgresProcessTest extends ProcessContract {
    @Override
    TestDatabase fresh() {
        return Postgres.newest().freshDatabase();
    }
}
