package dev.postroom.hibernate;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;

class HibernateOnH2Test extends HibernateContract {
    @Override
    TestDatabase fresh() {
        return H2.freshDatabase();
    }
}
