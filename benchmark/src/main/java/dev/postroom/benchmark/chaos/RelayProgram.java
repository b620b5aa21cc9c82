package dev.postroom.benchmark.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Relay;
import java.io.IOException;
import java.time.Duration;

/** A relay in a process of its own, until its input ends. */
final class RelayProgram {
    private static final int CONNECTIONS = 4;

    private RelayProgram() {}

    /** What it needs comes in the environment, because everybody can see arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        String url = System.getenv("CHAOS_DATABASE");
        String username = System.getenv("CHAOS_USERNAME");
        String password = System.getenv("CHAOS_PASSWORD");
        Duration lease = Duration.ofMillis(Long.parseLong(System.getenv("CHAOS_LEASE_MILLIS")));
        try (HikariDataSource pool = Place.pool(url, username, password, CONNECTIONS);
                Relay relay = start(pool, lease)) {
            while (System.in.read() >= 0) {
                // nobody says anything: only the end counts
            }
            System.out.println("ended " + relay.database());
        }
    }

    /** The database may be away just now. */
    private static Relay start(HikariDataSource pool, Duration lease) throws InterruptedException {
        while (true) {
            try {
                return Relay.on(pool)
                        .name("chaos")
                        .deliverTo(RabbitMq.at(System.getenv("CHAOS_BROKER")).exchange(Place.EXCHANGE))
                        .retry(new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofSeconds(2), 0.2, 50))
                        .lease(lease)
                        .deleteAfterDelivery()
                        .start();
            } catch (RuntimeException e) {
                System.err.println("cannot start yet: " + e.getMessage());
                Thread.sleep(200);
            }
        }
    }
}
