package dev.postroom.spring.modulith;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;

class ModulithOnH2Test extends ModulithContract {
    @Override
    TestDatabase fresh() {
        return H2.freshDatabase();
    }
}
