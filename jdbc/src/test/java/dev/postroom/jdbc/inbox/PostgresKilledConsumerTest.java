package dev.postroom.jdbc.inbox;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

class PostgresKilledConsumerTest extends KilledConsumerContract {
    @Override
    TestDatabase fresh() {
        return Postgres.newest().freshDatabase();
    }
}
