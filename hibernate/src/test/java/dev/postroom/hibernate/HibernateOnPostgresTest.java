package dev.postroom.hibernate;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;

class HibernateOnPostgresTest extends HibernateContract {
    @Override
    TestDatabase fresh() {
        return Postgres.newest().freshDatabase();
    }
}
