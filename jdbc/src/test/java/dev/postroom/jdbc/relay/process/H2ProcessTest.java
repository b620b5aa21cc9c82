package dev.postroom.jdbc.relay.process;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;

class H2ProcessTest extends ProcessContract {
    @Override
    TestDatabase fresh() {
        return H2.sharedDatabase(folder);
    }
}
