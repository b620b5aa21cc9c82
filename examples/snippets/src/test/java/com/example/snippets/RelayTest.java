package com.example.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.Message;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.ManualRelay;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Transport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RelayTest extends SnippetShop {
    private final Transport transport =
            Handlers.create().executor(Runnable::run).otherwise(delivery -> done.add("got " + delivery.key()));

    @Test
    void delivers_to_functions() throws Exception {
        // in docs/relay.md
        Handlers handlers = Handlers.create()
                .on("orders.created", Order.class, (order, delivery) -> ship(order))
                .on("orders.cancelled", delivery -> stop(delivery.key()));

        try (Relay relay = Relay.on(dataSource).deliverTo(handlers).start()) { // checks settings, database and schema
            Outbox outbox = relay.outbox(); // an outbox that wakes the relay after each commit it sees
            outbox.inTransaction(tx -> {
                saveOrder(tx.connection(), order);
                tx.publish(Message.to("orders.created").key(order.id()).json(order));
            });
            runYourApplication();
        } // finishes what is under way and gives its lanes back
        // until here
        assertThat(done).containsExactly("shipped 42");
    }

    private void runYourApplication() {
        await().atMost(Duration.ofSeconds(30)).until(() -> !done.isEmpty());
    }

    @Test
    void destination_has_settings_of_its_own() {
        Relay.Builder relay = Relay.on(dataSource);
        // in docs/relay.md
        relay.deliverTo(Destination.of("billing", transport)
                .rate(100) // messages per second at most
                .timeout(Duration.ofSeconds(10)) // default 30 s: no answer is a failure
                .probeInterval(Duration.ofSeconds(5)) // default 2 s: how soon it is tried when it is down
                .failuresInARow(50)); // default 20: from here on it is down, whatever it answers
        // until here
        try (ManualRelay manual = relay.manual()) {
            Outbox.on(dataSource).publishInOwnTransaction(Message.to("a").key("k"));
            manual.drain();
        }
        assertThat(done).containsExactly("got k");
    }

    @Test
    void routes_say_which_topics_go_where() {
        Relay.Builder relay = Relay.on(dataSource);
        Transport a =
                Handlers.create().executor(Runnable::run).otherwise(delivery -> done.add("a " + delivery.topic()));
        Transport b =
                Handlers.create().executor(Runnable::run).otherwise(delivery -> done.add("b " + delivery.topic()));
        // in docs/relay.md
        relay.deliverTo("warehouse", a)
                .deliverTo("billing", b)
                .route(Route.of("orders.*", "warehouse", "billing")) // * is one word, ** any number of them
                .route(Route.of("metrics.**", "billing")
                        .onFailure(OnFailure.SKIP)
                        .retry(RetryPolicy.preset("quick")));
        // until here
        Outbox outbox = Outbox.on(dataSource);
        outbox.publishInOwnTransaction(Message.to("orders.created"));
        outbox.publishInOwnTransaction(Message.to("metrics.cpu.load"));
        try (ManualRelay manual = relay.manual()) {
            manual.drain();
        }
        assertThat(done).containsExactlyInAnyOrder("a orders.created", "b orders.created", "b metrics.cpu.load");
    }

    @Test
    void manual_relay_works_on_the_tests_thread() {
        Outbox.on(dataSource).publishInOwnTransaction(Message.to("a").key("k"));
        // in docs/relay.md
        try (ManualRelay relay = Relay.on(dataSource).deliverTo(transport).manual()) {
            relay.drain(); // works on this thread until nothing is left that can be done now
        }
        // until here
        assertThat(done).containsExactly("got k");
    }
}
