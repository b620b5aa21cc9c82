package dev.postroom.jdbc.relay;

import dev.postroom.testbed.Postgres;
import org.junit.jupiter.api.Nested;

class RelayOnPostgresTest {
    @Nested
    class Delivering extends DeliveryContract {
        Delivering() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Running extends RunningContract {
        Running() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Fleet extends FleetContract {
        Fleet() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }
}
