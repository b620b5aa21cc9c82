package dev.postroom.jdbc.relay.process;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;

class H2ProcessTest extends ProcessContract {
    @Override
    TestDatabase fresh() {
        return H2.sharedDatabase(folder);
    }

    /** H2 does not end the transaction of a client that stands still, so it must not stand still within one. */
    @Override
    void freeze(ChildRelay relay) throws Exception {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            relay.freeze();
            if (holdsNothing()) {
                return true;
            }
            relay.wake();
            return false;
        });
    }

    private boolean holdsNothing() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCK_TIMEOUT 300");
            statement.execute("SELECT * FROM postroom_lane FOR UPDATE");
            statement.execute("SELECT * FROM postroom_message FOR UPDATE");
            statement.execute("SELECT * FROM postroom_node FOR UPDATE");
            connection.rollback();
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == 50200) { // lock timeout
                return false;
            }
            throw e;
        }
    }
}
