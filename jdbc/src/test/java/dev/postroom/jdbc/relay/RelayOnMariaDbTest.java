package dev.postroom.jdbc.relay;

import dev.postroom.testbed.MariaDb;
import org.junit.jupiter.api.Nested;

class RelayOnMariaDbTest {
    @Nested
    class Delivering extends DeliveryContract {
        Delivering() {
            super(() -> MariaDb.newest().freshDatabase());
        }
    }

    @Nested
    class Running extends RunningContract {
        Running() {
            super(() -> MariaDb.newest().freshDatabase());
        }
    }

    @Nested
    class Fleet extends FleetContract {
        Fleet() {
            super(() -> MariaDb.newest().freshDatabase());
        }
    }

    @Nested
    class Refusing extends RefusedContract {
        Refusing() {
            super(() -> MariaDb.newest().freshDatabase());
        }
    }
}
