package dev.postroom.server.cli;

import dev.postroom.testbed.Postgres;
import org.junit.jupiter.api.Nested;

class CommandsOnPostgresTest {
    @Nested
    class Publishing extends PublishContract {
        Publishing() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Looking extends LookContract {
        Looking() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Changing_things extends ChangeContract {
        Changing_things() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Examining extends DoctorContract {
        Examining() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }
}
