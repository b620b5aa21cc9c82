package dev.postroom.jdbc.internal.mariadb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;

/** A binary log of statements, which cannot hold what is written at READ COMMITTED. */
@Tag("R62")
class StatementLogTest {
    @Test
    void relay_does_not_start_and_says_what_to_set() throws SQLException {
        TestDatabase database = MariaDb.unusual().freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        MariaDbDataSource logged =
                new MariaDbDataSource(database.url() + "?sessionVariables=binlog_format='STATEMENT'");
        logged.setUser(database.username());
        logged.setPassword(database.password());
        assertThatThrownBy(() -> Relay.on(logged)
                        .deliverTo((delivery, outcome) -> outcome.accept(Outcome.confirmed()))
                        .start()
                        .close())
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("BINLOG_FORMAT = STATEMENT")
                .hasMessageEndingWith(". Set binlog_format to MIXED, its default, or to ROW");
    }
}
