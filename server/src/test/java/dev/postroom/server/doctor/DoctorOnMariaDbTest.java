package dev.postroom.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor finds on MariaDB only; on a server as few set it up. */
@Tag("R54")
class DoctorOnMariaDbTest {
    @TempDir
    Path folder;

    private final TestDatabase database = MariaDb.unusual().freshDatabase();
    private Cli cli;

    @BeforeEach
    void migrate() {
        cli = Cli.on(database, folder);
        assertThat(cli.run("migrate").exit()).isZero();
    }

    @Test
    @Tag("R62")
    void fails_where_the_binary_log_holds_statements_only() {
        assertThat(cli.run("doctor").out()).containsPattern("ok +binary log ");
        cli.property("postroom.database.url", database.url() + "?sessionVariables=binlog_format='STATEMENT'");
        Cli.Result result = cli.run("doctor");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).containsPattern("wrong +binary log .*-> SET GLOBAL binlog_format = 'MIXED'");
    }

    @Test
    @Tag("R60")
    void fails_where_messages_have_numbers_that_no_relay_reads() throws SQLException {
        assertThat(cli.run("doctor").out()).doesNotContain("numbers");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO postroom_message (seq, topic, payload) VALUES (-1, 'orders', '{}')");
            statement.execute("COMMIT");
        }
        Cli.Result result = cli.run("doctor");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).containsPattern("wrong +numbers .*not above 0.*-> insert them again without a seq");
    }
}
