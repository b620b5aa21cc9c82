package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Deliveries;
import dev.postroom.testbed.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
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

        @Test
        @Tag("R58")
        void works_with_the_rights_of_the_role_relay_and_says_what_they_hide() throws SQLException {
            String role = "relay_" + UUID.randomUUID().toString().substring(0, 8);
            String grants =
                    ok("migrate", "--grants", "relay", "--grantee", role).out();
            try (Connection owner = database.connect();
                    Statement statement = owner.createStatement()) {
                statement.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'pw'");
                statement.execute(grants);
                new Deliveries(database).relayReports();
                cli.property("postroom.database.username", role).property("postroom.database.password", "pw");
                assertThat(ok("doctor").out())
                        .containsPattern("ok +archive")
                        .containsPattern("ok +oldest transaction +of other users none can be seen.*pg_read_all_stats");
                statement.execute("GRANT pg_read_all_stats TO " + role);
                assertThat(ok("doctor").out()).containsPattern("ok +oldest transaction +none open");
            }
        }
    }
}
