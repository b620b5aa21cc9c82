package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.relay.Relay;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay that is closed while the database takes its time with what it was asked. */
@Tag("R35")
@Tag("R60")
class StoppingTest {
    abstract static class Contract extends RelayTestBase {
        private final String[] lock;

        Contract(Supplier<TestDatabase> databases, String... lock) {
            super(databases);
            this.lock = lock;
        }

        @Test
        void query_that_hangs_is_broken_off_before_the_pool_is_closed() throws Exception {
            try (HikariDataSource pool = new HikariDataSource()) {
                pool.setJdbcUrl(database.url());
                pool.setUsername(database.username());
                pool.setPassword(database.password());
                Recorder recorder = new Recorder();
                Relay relay = closedAfterwards(Relay.on(pool)
                        .deliverTo(recorder)
                        .pollMax(Duration.ofMillis(50))
                        .stopTimeout(Duration.ofSeconds(10))
                        .start());
                publish("orders", "1", "a");
                eventually().until(() -> recorder.confirmed().contains("a") && live() == 0);
                try (Connection other = database.connect();
                        Statement statement = other.createStatement()) {
                    for (String sql : lock) {
                        statement.execute(sql);
                    }
                    eventually().during(Duration.ofMillis(500)).until(Contract::isReading);
                    relay.close();
                    assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                            .as("connections that nobody has given back")
                            .isZero();
                }
            }
        }

        /** The reader waits in the driver for the lock; there is no other sign of it that every database gives. */
        private static boolean isReading() {
            return Thread.getAllStackTraces().entrySet().stream()
                    .filter(thread -> thread.getKey().getName().endsWith("-reader"))
                    .flatMap(thread -> Arrays.stream(thread.getValue()))
                    .anyMatch(frame -> frame.getMethodName().equals("executeQuery"));
        }
    }

    @Nested
    class On_PostgreSQL extends Contract {
        On_PostgreSQL() {
            super(
                    () -> Postgres.newest().freshDatabase(),
                    "BEGIN",
                    "LOCK TABLE postroom_message IN ACCESS EXCLUSIVE MODE");
        }
    }

    @Nested
    class On_MariaDB extends Contract {
        On_MariaDB() {
            super(() -> MariaDb.newest().freshDatabase(), "LOCK TABLES postroom_message WRITE");
        }
    }
}
