package dev.postroom.spring.modulith;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

class ModulithOnPostgresTest extends ModulithContract {
    @Override
    TestDatabase fresh() {
        return Postgres.newest().freshDatabase();
    }
}
