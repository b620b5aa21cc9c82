package dev.postroom.benchmark;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What another session does while producers and relay work. */
enum Disturbance {
    NONE("steady") {
        @Override
        void begin(Connection connection, Outbox outbox) throws SQLException {
            connection.setAutoCommit(false);
        }
    },
    /** A long report: no row that is deleted from now on can be cleaned away. */
    HELD_SNAPSHOT("held snapshot") {
        @Override
        void begin(Connection connection, Outbox outbox) throws SQLException {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM postroom_lane")) {
                rows.next();
            }
        }
    },
    /** A long transaction that wrote a message first: its row may commit after all that come meanwhile. */
    LONG_TRANSACTION("long transaction") {
        @Override
        void begin(Connection connection, Outbox outbox) throws SQLException {
            connection.setAutoCommit(false);
            outbox.publish(connection, Message.to("bench.long").key("long"));
        }
    };

    final String label;

    Disturbance(String label) {
        this.label = label;
    }

    abstract void begin(Connection connection, Outbox outbox) throws SQLException;
}
