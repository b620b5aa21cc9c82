package dev.postroom.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServersTest {

    @Nested
    class postgresql {

        @Test
        void newest_answers() throws SQLException {
            assertThat(value(Postgres.newest().freshDatabase(), "select 1")).isEqualTo("1");
        }

        @Test
        void oldest_answers() throws SQLException {
            assertThat(value(Postgres.oldest().freshDatabase(), "select 1")).isEqualTo("1");
        }

        @Test
        void newest_and_oldest_are_the_versions_they_say() throws SQLException {
            Assumptions.assumeTrue(System.getenv(Postgres.VARIABLE) == null, "a server of somebody else is used");
            assertThat(value(Postgres.newest().freshDatabase(), "show server_version"))
                    .startsWith("18.");
            assertThat(value(Postgres.oldest().freshDatabase(), "show server_version"))
                    .startsWith("14.");
        }

        @Test
        void debians_compiles_what_it_takes_for_dear() throws SQLException {
            Assumptions.assumeTrue(System.getenv(Postgres.VARIABLE) == null, "a server of somebody else is used");
            TestDatabase database = Postgres.debian().freshDatabase();
            assertThat(value(database, "select pg_jit_available()")).isEqualTo("t");
            assertThat(value(database, "show jit_above_cost")).isEqualTo("100000");
        }

        @Test
        void pgbouncer_gives_transactions_to_any_of_its_sessions() throws SQLException {
            TestDatabase database = Postgres.newest().freshDatabase();
            try (PgBouncer bouncer = PgBouncer.inFrontOf(Postgres.newest(), "transaction", 1);
                    Connection first = bouncer.to(database).connect();
                    Connection second = bouncer.to(database).connect()) {
                assertThat(value(first, "select pg_backend_pid()")).isEqualTo(value(second, "select pg_backend_pid()"));
            }
        }

        @Test
        void commits_are_durable() throws SQLException {
            Assumptions.assumeTrue(System.getenv(Postgres.VARIABLE) == null, "a server of somebody else is used");
            for (DatabaseServer server : new DatabaseServer[] {Postgres.newest(), Postgres.oldest()}) {
                TestDatabase database = server.freshDatabase();
                assertThat(value(database, "show fsync")).isEqualTo("on");
                assertThat(value(database, "show synchronous_commit")).isEqualTo("on");
                assertThat(value(database, "show wal_level")).isEqualTo("logical");
                assertThat(value(database, "show server_encoding")).isEqualTo("UTF8");
            }
        }

        @Test
        void a_fresh_database_is_nobody_elses() throws SQLException {
            fresh_databases_are_apart(Postgres.newest());
        }
    }

    @Nested
    class mariadb {

        @Test
        void newest_answers() throws SQLException {
            assertThat(value(MariaDb.newest().freshDatabase(), "select 1")).isEqualTo("1");
        }

        @Test
        void oldest_answers() throws SQLException {
            assertThat(value(MariaDb.oldest().freshDatabase(), "select 1")).isEqualTo("1");
        }

        @Test
        void newest_and_oldest_are_the_versions_they_say() throws SQLException {
            Assumptions.assumeTrue(System.getenv(MariaDb.VARIABLE) == null, "a server of somebody else is used");
            assertThat(value(MariaDb.newest().freshDatabase(), "select version()"))
                    .startsWith("11.4.");
            assertThat(value(MariaDb.oldest().freshDatabase(), "select version()"))
                    .startsWith("10.11.");
        }

        @Test
        void the_default_character_set_is_one_that_nobody_should_rely_on() throws SQLException {
            Assumptions.assumeTrue(System.getenv(MariaDb.VARIABLE) == null, "a server of somebody else is used");
            for (DatabaseServer server : new DatabaseServer[] {MariaDb.newest(), MariaDb.oldest()}) {
                assertThat(value(server.freshDatabase(), "select @@character_set_database"))
                        .isEqualTo("latin1");
                assertThat(value(server.freshDatabase(), "select @@innodb_flush_log_at_trx_commit"))
                        .isEqualTo("1");
            }
        }

        @Test
        void a_fresh_database_is_nobody_elses() throws SQLException {
            fresh_databases_are_apart(MariaDb.newest());
        }
    }

    @Nested
    class h2 {

        @Test
        void in_memory_answers() throws SQLException {
            assertThat(value(H2.freshDatabase(), "select 1")).isEqualTo("1");
        }

        @Test
        void a_file_keeps_its_tables(@TempDir Path folder) throws SQLException {
            TestDatabase database = H2.freshDatabase(folder);
            execute(database, "create table kept (id int)");
            assertThat(value(database, "select count(*) from kept")).isEqualTo("0");
        }
    }

    @Nested
    class one_server {

        @Test
        void is_shared_by_the_whole_jvm() {
            assertThat(Postgres.newest()).isSameAs(Postgres.newest());
            assertThat(MariaDb.newest()).isSameAs(MariaDb.newest());
        }

        @Test
        void is_reached_by_url_username_and_password() throws SQLException {
            for (DatabaseServer server : new DatabaseServer[] {Postgres.newest(), MariaDb.newest()}) {
                TestDatabase database = server.freshDatabase();
                try (Connection connection =
                        DriverManager.getConnection(database.url(), database.username(), database.password())) {
                    assertThat(connection.isValid(5)).isTrue();
                }
            }
        }
    }

    @Test
    void test_jvms_run_under_defaults_that_nobody_should_rely_on() {
        assertThat(Charset.defaultCharset().name()).isEqualTo("ISO-8859-1");
        assertThat(TimeZone.getDefault().getID()).isEqualTo("Asia/Kathmandu");
        assertThat(Locale.getDefault()).isEqualTo(new Locale("tr", "TR"));
    }

    private static void fresh_databases_are_apart(DatabaseServer server) throws SQLException {
        TestDatabase mine = server.freshDatabase();
        execute(mine, "create table mine (id int)");
        TestDatabase yours = server.freshDatabase();
        assertThatThrownBy(() -> value(yours, "select count(*) from mine")).isInstanceOf(SQLException.class);
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String value(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect()) {
            return value(connection, sql);
        }
    }

    private static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
