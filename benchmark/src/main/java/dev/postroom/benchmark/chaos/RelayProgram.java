package dev.postroom.benchmark.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.ClockedRelay;
import dev.postroom.relay.Relay;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;

/**
 * A relay in a process of its own, until its input ends. Each line of its input says by how many milliseconds its clock
 * differs from the machine's from then on.
 */
final class RelayProgram {
    private static final int CONNECTIONS = 4;

    private RelayProgram() {}

    /** What it needs comes in the environment, because everybody can see arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        String url = System.getenv("CHAOS_DATABASE");
        String username = System.getenv("CHAOS_USERNAME");
        String password = System.getenv("CHAOS_PASSWORD");
        Duration lease = Duration.ofMillis(Long.parseLong(System.getenv("CHAOS_LEASE_MILLIS")));
        SettableClock clock = new SettableClock();
        try (HikariDataSource pool = Place.pool(url, username, password, CONNECTIONS);
                Relay relay = start(pool, lease, clock);
                BufferedReader input =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                clock.set(Duration.ofMillis(Long.parseLong(line)));
                System.out.println("clock set by " + line + " ms");
            }
            System.out.println("ended " + relay.database());
        }
    }

    /** The database may be away just now. */
    private static Relay start(HikariDataSource pool, Duration lease, InstantSource clock) throws InterruptedException {
        while (true) {
            try {
                Relay.Builder builder = Relay.on(pool)
                        .name("chaos")
                        .deliverTo(RabbitMq.at(System.getenv("CHAOS_BROKER")).exchange(Place.EXCHANGE))
                        .retry(new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofSeconds(2), 0.2, 50))
                        .lease(lease)
                        .deleteAfterDelivery();
                return ClockedRelay.start(builder, clock);
            } catch (RuntimeException e) {
                System.err.println("cannot start yet: " + e.getMessage());
                Thread.sleep(200);
            }
        }
    }
}
