package dev.postroom.server.cli;

import dev.postroom.testbed.H2;
import org.junit.jupiter.api.Nested;

class CommandsOnH2Test {
    @Nested
    class Publishing extends PublishContract {
        Publishing() {
            super(H2::freshDatabase);
        }
    }

    @Nested
    class Looking extends LookContract {
        Looking() {
            super(H2::freshDatabase);
        }
    }

    @Nested
    class Changing_things extends ChangeContract {
        Changing_things() {
            super(H2::freshDatabase);
        }
    }

    @Nested
    class Examining extends DoctorContract {
        Examining() {
            super(H2::freshDatabase);
        }
    }
}
