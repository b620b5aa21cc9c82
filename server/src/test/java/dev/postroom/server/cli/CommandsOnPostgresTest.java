package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

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

        @Test
        void names_whose_transaction_is_the_oldest() throws SQLException {
            try (Connection forgotten = database.dataSource().getConnection()) {
                forgotten.setAutoCommit(false);
                try (Statement statement = forgotten.createStatement();
                        ResultSet row = statement.executeQuery("SELECT pg_backend_pid(), current_user")) {
                    row.next();
                    assertThat(cli.run("doctor").out())
                            .containsPattern("oldest transaction +open for .* by process " + row.getInt(1) + ", user "
                                    + row.getString(2));
                }
            }
        }
    }
}
