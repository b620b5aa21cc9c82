package dev.postroom.rabbitmq;

import static org.awaitility.Awaitility.await;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;

/** Short words for sending and waiting. */
final class Sends {
    private Sends() {}

    static CompletableFuture<Outcome> begin(Transport transport, Delivery delivery) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        transport.send(delivery, outcome::complete);
        return outcome;
    }

    static Outcome outcome(CompletableFuture<Outcome> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    static Outcome send(Transport transport, Delivery delivery) throws Exception {
        return outcome(begin(transport, delivery));
    }

    static Outcome.Failed failure(Transport transport, Delivery delivery) throws Exception {
        return (Outcome.Failed) send(transport, delivery);
    }

    /** The client's own threads may die with their connection, when a broker is killed: that is no failure of ours. */
    static ConditionFactory eventually() {
        return await().dontCatchUncaughtExceptions()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20));
    }
}
