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

    static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }
}
