package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/** A message under way, and every outcome it was told; there must be one. */
final class Sending implements Consumer<Outcome> {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final List<Outcome> told = new CopyOnWriteArrayList<>();

    static Sending of(Transport transport, Delivery delivery) {
        Sending sending = new Sending();
        transport.send(delivery, sending);
        return sending;
    }

    static Sending of(Transport transport, String payload) {
        return of(transport, delivery(payload));
    }

    static Delivery delivery(String payload) {
        return delivery(Map.of(), payload, LEASE);
    }

    static Delivery delivery(Map<String, String> headers, String payload, Duration lease) {
        return delivery(
                new Content(
                        "OrderCreated",
                        "application/json",
                        null,
                        headers,
                        payload.getBytes(StandardCharsets.UTF_8),
                        "/shop"),
                lease);
    }

    static Delivery delivery(Content content, Duration lease) {
        return new Delivery(
                UUID.randomUUID(),
                1,
                new Stream("acme", "orders.created", "order-1"),
                content,
                Instant.parse("2026-02-03T04:05:06.789Z"),
                1,
                System.nanoTime() + lease.toNanos());
    }

    @Override
    public void accept(Outcome outcome) {
        told.add(outcome);
    }

    boolean isTold() {
        return !told.isEmpty();
    }

    Outcome outcome() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(this::isTold);
        assertThat(told).hasSize(1);
        return told.get(0);
    }

    Outcome.Failed failure() {
        assertThat(outcome()).isInstanceOf(Outcome.Failed.class);
        return (Outcome.Failed) outcome();
    }
}
