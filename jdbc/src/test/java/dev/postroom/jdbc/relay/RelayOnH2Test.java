package dev.postroom.jdbc.relay;

import dev.postroom.testbed.H2;
import org.junit.jupiter.api.Nested;

class RelayOnH2Test {
    @Nested
    class Delivering extends DeliveryContract {
        Delivering() {
            super(H2::freshDatabase);
        }
    }

    @Nested
    class Running extends RunningContract {
        Running() {
            super(H2::freshDatabase);
        }
    }

    @Nested
    class Fleet extends FleetContract {
        Fleet() {
            super(H2::freshDatabase);
        }
    }

    @Nested
    class Refusing extends RefusedContract {
        Refusing() {
            super(H2::freshDatabase);
        }
    }
}
