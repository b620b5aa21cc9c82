package dev.postroom.jdbc.internal;

import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

/** The databases that a test is run against. */
enum Databases {
    POSTGRESQL,
    MARIADB_NEWEST,
    MARIADB_OLDEST,
    H2_MEMORY;

    TestDatabase fresh() {
        return switch (this) {
            case POSTGRESQL -> Postgres.newest().freshDatabase();
            case MARIADB_NEWEST -> MariaDb.newest().freshDatabase();
            case MARIADB_OLDEST -> MariaDb.oldest().freshDatabase();
            case H2_MEMORY -> H2.freshDatabase();
        };
    }

    static Store store(TestDatabase database) {
        return Store.open(database.dataSource(), TableNames.DEFAULT);
    }

    Store migrated() {
        Store store = store(fresh());
        store.schema().migrate();
        return store;
    }
}
