package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RelayOnPostgresTest {
    @Nested
    class Delivering extends DeliveryContract {
        Delivering() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Running extends RunningContract {
        Running() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Fleet extends FleetContract {
        Fleet() {
            super(() -> Postgres.newest().freshDatabase());
        }
    }

    @Nested
    class Refusing extends RefusedContract {
        Refusing() {
            super(() -> Postgres.newest().freshDatabase());
        }

        @Override
        String json() {
            return "?::json";
        }

        @Override
        String rowReference() {
            return "uuid REFERENCES postroom_message (id)";
        }

        @Override
        String rowKey() {
            return "id";
        }
    }

    @Nested
    class OnTheWire extends RelayTestBase {
        OnTheWire() {
            super(() -> Postgres.newest().freshDatabase());
        }

        @Test
        @Tag("R32")
        void a_message_has_no_transaction_open_behind_it() throws Exception {
            SlowWire wire = new SlowWire();
            closedAfterwards(relay().deliverTo(wire).start());
            UUID id = publish("orders", "1", "a");
            assertThat(wire.sent.await(20, TimeUnit.SECONDS)).isTrue();
            String sentAt = ask("SELECT clock_timestamp()::text").get(0);
            // Reading goes on meanwhile, in transactions that are younger than the message's way.
            eventually()
                    .until(() -> ask("SELECT pid::text FROM pg_stat_activity"
                                    + " WHERE datname = current_database() AND xact_start <= '" + sentAt + "'")
                            .isEmpty());
            wire.confirm.countDown();
            eventually().until(() -> status(id) == MessageStatus.PROCESSED);
        }

        private List<String> ask(String sql) throws SQLException {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(sql)) {
                return rows.next() ? List.of(rows.getString(1)) : List.of();
            }
        }
    }

    /** Says that it has a message, and confirms it when it is told to. */
    private static final class SlowWire implements Transport {
        private final CountDownLatch sent = new CountDownLatch(1);
        private final CountDownLatch confirm = new CountDownLatch(1);

        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            Thread wire = new Thread(() -> {
                try {
                    confirm.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                outcome.accept(Outcome.confirmed());
            });
            wire.setDaemon(true);
            wire.start();
            sent.countDown();
        }
    }
}
