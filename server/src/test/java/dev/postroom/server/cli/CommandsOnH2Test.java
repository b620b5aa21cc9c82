package dev.postroom.server.cli;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;

class CommandsOnH2Test extends CommandsContract {
    @Override
    TestDatabase freshDatabase() {
        return H2.freshDatabase();
    }
}
