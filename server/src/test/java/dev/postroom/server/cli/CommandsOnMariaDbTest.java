package dev.postroom.server.cli;

import dev.postroom.testbed.MariaDb;
import org.junit.jupiter.api.Nested;

class CommandsOnMariaDbTest {
    @Nested
    class Looking extends LookContract {
        Looking() {
            super(() -> MariaDb.newest().freshDatabase());
        }
    }

    @Nested
    class Examining extends DoctorContract {
        Examining() {
            super(() -> MariaDb.newest().freshDatabase());
        }
    }
}
