package dev.postroom.spring;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

class PublishingOnPostgresTest extends PublishingContract {

    @Override
    TestDatabase freshDatabase() {
        return Postgres.newest().freshDatabase();
    }
}
