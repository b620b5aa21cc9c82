package dev.postroom.jdbc.relay.process;

import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.relay.Relay;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A relay in a process of its own; its destination is a file that several of them may append to. */
final class RelayProgram {
    static final Duration LEASE = Duration.ofSeconds(1);
    static final int MAX_CRASHES = 2;
    static final int CRASHED = 11;
    /** A message with this text ends the process that sends it. */
    static final String POISON = "poison";

    private RelayProgram() {}

    /**
     * Arguments: JDBC URL, user, password, file, after how many confirmations to die before they are settled (0: never),
     * the routing delay, and if its routes are the new ones, a second file that everything goes to as well; then, for a version
     * that crashes, after how many milliseconds it does.
     */
    public static void main(String[] args) throws Exception {
        int dieAfter = Integer.parseInt(args[4]);
        AtomicInteger confirmed = new AtomicInteger();
        Relay.Builder builder = Relay.on(new UrlDataSource(args[0], args[1], args[2]).proxy())
                .deliverTo("file", new FileTransport(Path.of(args[3])));
        if (args.length > 6) {
            builder.deliverTo("audit", new FileTransport(Path.of(args[6]))).route(Route.of("**", "file", "audit"));
        }
        Relay relay = builder.routingDelay(Duration.parse(args[5]))
                .retry(new RetryPolicy(Duration.ofMillis(50), 1, Duration.ofMillis(50), 0, 5))
                .lease(LEASE)
                .maxCrashes(MAX_CRASHES)
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50))
                .listener(new RelayListener() {
                    @Override
                    public void delivered(StoredMessage message, String destination) {
                        if (confirmed.incrementAndGet() == dieAfter) {
                            Runtime.getRuntime().halt(9);
                        }
                    }
                })
                .start();
        System.out.println("started");
        if (args.length > 7) {
            Thread.sleep(Long.parseLong(args[7])); // the life of a version that crashes
            Runtime.getRuntime().halt(CRASHED);
        }
        // Until the parent closes our input.
        while (System.in.read() >= 0) {}
        relay.close();
    }

    /** One line per message, on disk before it is confirmed. */
    private record FileTransport(Path file) implements Transport {
        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            String text = new String(delivery.payload(), StandardCharsets.UTF_8);
            if (text.equals(POISON)) {
                Runtime.getRuntime().halt(13);
            }
            try {
                Files.writeString(file, text + "\n", StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            outcome.accept(Outcome.confirmed());
        }
    }

    /** The least that a data source is. */
    private record UrlDataSource(String url, String user, String password) {
        DataSource proxy() {
            return (DataSource) java.lang.reflect.Proxy.newProxyInstance(
                    RelayProgram.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                        if (method.getName().equals("getConnection")) {
                            return open();
                        }
                        throw new UnsupportedOperationException(method.getName());
                    });
        }

        private Connection open() throws java.sql.SQLException {
            return DriverManager.getConnection(url, user, password);
        }
    }
}
