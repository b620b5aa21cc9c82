package dev.postroom.jdbc.inbox;

import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;

class MariaDbKilledConsumerTest extends KilledConsumerContract {
    @Override
    TestDatabase fresh() {
        return MariaDb.newest().freshDatabase();
    }
}
