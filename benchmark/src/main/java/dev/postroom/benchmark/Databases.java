package dev.postroom.benchmark;

import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

/** A fresh database of the kind asked for, with the schema in it. */
enum Databases {
    postgresql {
        @Override
        TestDatabase fresh() {
            return Postgres.newest().freshDatabase();
        }
    },
    mariadb {
        @Override
        TestDatabase fresh() {
            return MariaDb.newest().freshDatabase();
        }
    },
    h2 {
        @Override
        TestDatabase fresh() {
            return H2.freshDatabase();
        }
    };

    abstract TestDatabase fresh();

    /** The store of a fresh database, migrated. */
    static Store migrate(TestDatabase database) {
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        return store;
    }
}
