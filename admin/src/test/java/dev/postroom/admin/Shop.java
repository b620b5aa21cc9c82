package dev.postroom.admin;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.ManualRelay;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.H2;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** An outbox with something of everything in it, and a relay that moves when it is told. */
final class Shop implements AutoCloseable {
    private static final RetryPolicy SLOW = new RetryPolicy(Duration.ofHours(1), 1, Duration.ofHours(1), 0, 5);

    final DataSource dataSource = H2.freshDatabase().dataSource();
    final Store store = Store.open(dataSource, TableNames.DEFAULT);
    final Outbox outbox;
    private final ManualRelay relay;
    UUID delivered;
    UUID dead;
    UUID blocked;
    UUID failed;

    Shop() {
        store.schema().migrate();
        outbox = Outbox.on(dataSource);
        relay = Relay.on(dataSource)
                .retry(SLOW)
                .deliverTo("out", new Receiver())
                .manual();
        delivered = publish(Message.to("orders.created").key("1").text("application/json", "{\"id\":1}"));
        dead = publish(Message.to("orders.refused").key("2").text("application/json", "{\"id\":2}"));
        relay.drain();
        blocked = publish(Message.to("orders.refused").key("2").text("application/json", "{\"id\":3}"));
        failed = publish(Message.to("orders.flaky").key("4").text("application/json", "{\"id\":4}"));
        publish(Message.to("orders.away").key("5").text("application/json", "{\"id\":5}"));
        publish(Message.to("orders.later").text("text/plain", "later").deliverAfter(Duration.ofHours(1)));
        relay.drain();
    }

    UUID publish(Message message) {
        return outbox.publishInOwnTransaction(message).id();
    }

    void drain() {
        relay.drain();
    }

    @Override
    public void close() {
        relay.close();
    }

    /** Answers by the topic's last word. */
    private static final class Receiver implements Transport {
        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            outcome.accept(
                    switch (delivery.stream().topic()) {
                        case "orders.refused" -> Outcome.failed(FailureReason.VALIDATION_FAILURE, "refused order 7");
                        case "orders.flaky" -> Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no stock for 4711");
                        case "orders.quoting" ->
                            Outcome.failed(
                                    FailureReason.VALIDATION_FAILURE,
                                    "cannot take " + new String(delivery.payload(), StandardCharsets.UTF_8) + " with "
                                            + delivery.headers().get("x-api-key"));
                        case "orders.away" -> Outcome.topicUnavailable("nobody listens");
                        default -> Outcome.confirmed();
                    });
        }
    }
}
