package dev.postroom.server.cli;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

class CommandsOnPostgresTest extends CommandsContract {
    @Override
    TestDatabase freshDatabase() {
        return Postgres.newest().freshDatabase();
    }
}
