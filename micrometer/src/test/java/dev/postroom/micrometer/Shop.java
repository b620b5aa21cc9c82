package dev.postroom.micrometer;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.function.Function;

/** An outbox in a database of its own, a registry, and destinations that do as they are told. */
final class Shop {
    static final RetryPolicy THREE_AT_ONCE = new RetryPolicy(Duration.ZERO, 1, Duration.ZERO, 0, 3);

    final TestDatabase database = H2.freshDatabase();
    final Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final Outbox outbox;

    Shop() {
        store.schema().migrate();
        outbox = Outbox.on(database.dataSource());
    }

    void publish(Message message) {
        outbox.publishInOwnTransaction(message);
    }

    Relay.Builder relay() {
        return Relay.on(database.dataSource())
                .retry(THREE_AT_ONCE)
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50));
    }

    /** Answers at once. */
    static Transport answering(Function<Delivery, Outcome> answer) {
        return (delivery, outcome) -> outcome.accept(answer.apply(delivery));
    }

    Scrape scrape() {
        return Scrape.of(registry);
    }
}
