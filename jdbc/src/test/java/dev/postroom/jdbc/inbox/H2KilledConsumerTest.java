package dev.postroom.jdbc.inbox;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;

class H2KilledConsumerTest extends KilledConsumerContract {
    @Override
    TestDatabase fresh() {
        return H2.sharedDatabase(folder);
    }
}
