package dev.postroom.jdbc.relay.process;

import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;

class MariaDbProcessTest extends ProcessContract {
    @Override
    TestDatabase fresh() {
        return MariaDb.newest().freshDatabase();
    }
}
