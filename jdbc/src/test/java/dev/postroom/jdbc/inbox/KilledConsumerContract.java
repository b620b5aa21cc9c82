package dev.postroom.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.inbox.ConsumerProgram.Stop;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One effect, wherever the consumer's process is killed; the test is the broker that delivers again. */
@Tag("R40")
@Tag("I11")
@Timeout(120)
abstract class KilledConsumerContract {
    @TempDir
    Path folder;

    private TestDatabase database;
    private Connection kept;

    abstract TestDatabase fresh();

    @BeforeEach
    void migrate() throws Exception {
        database = fresh();
        // H2 lives in the process that opened it first, and that must be this one.
        kept = database.connect();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        try (Statement statement = kept.createStatement()) {
            statement.execute("CREATE TABLE bills (message_id varchar(100))");
        }
    }

    @AfterEach
    void disconnect() throws Exception {
        kept.close();
    }

    @Test
    void killed_between_the_handler_and_the_commit_it_is_handled_by_the_next() throws Exception {
        try (ChildConsumer killed = ChildConsumer.start(database, "m1", Stop.BEFORE_COMMIT)) {
            assertThat(killed.says()).isEqualTo(ConsumerProgram.WRITTEN);
            killed.kill();
        }
        try (ChildConsumer next = ChildConsumer.start(database, "m1", Stop.NEVER)) {
            assertThat(next.says()).isEqualTo(ConsumerProgram.WRITTEN);
            assertThat(next.says()).isEqualTo("HANDLED");
        }
        assertThat(bills()).isEqualTo(1);
    }

    @Test
    void killed_after_the_commit_and_before_the_acknowledgement_it_is_skipped_by_the_next() throws Exception {
        try (ChildConsumer killed = ChildConsumer.start(database, "m1", Stop.AFTER_COMMIT)) {
            assertThat(killed.says()).isEqualTo(ConsumerProgram.WRITTEN);
            assertThat(killed.says()).isEqualTo("HANDLED");
            killed.kill();
        }
        try (ChildConsumer next = ChildConsumer.start(database, "m1", Stop.NEVER)) {
            assertThat(next.says()).isEqualTo("DUPLICATE");
        }
        assertThat(bills()).isEqualTo(1);
    }

    private int bills() throws Exception {
        try (Statement statement = kept.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM bills")) {
            row.next();
            return row.getInt(1);
        }
    }
}
