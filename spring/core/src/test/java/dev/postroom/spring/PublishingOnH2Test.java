package dev.postroom.spring;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;

class PublishingOnH2Test extends PublishingContract {

    @Override
    TestDatabase freshDatabase() {
        return H2.freshDatabase();
    }
}
