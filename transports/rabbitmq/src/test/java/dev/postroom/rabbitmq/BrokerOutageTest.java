package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import dev.postroom.testkit.contract.DestinationUnderTest.Received;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay on PostgreSQL, and a broker that is killed under it. */
@Timeout(300)
class BrokerOutageTest {
    private static final int KEYS = 50;
    private static final int BEFORE = 3_000;
    private static final int DURING = 10_000;

    private final TestDatabase database = Postgres.newest().freshDatabase();
    private int published;

    private void publish(Outbox outbox, int count) {
        for (int left = count; left > 0; left -= 500) {
            List<Message> batch = IntStream.range(0, Math.min(left, 500))
                    .mapToObj(i -> Message.to("orders.changed")
                            .key("key-" + published % KEYS)
                            .text("text/plain", Integer.toString(published++)))
                    .toList();
            outbox.inTransaction(tx -> tx.publishAll(batch));
        }
    }

    @Test
    @Tag("R20")
    @Tag("R22")
    @Tag("R26")
    void a_broker_killed_in_mid_stream_costs_nothing_but_time() throws Exception {
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        Operations operations = Operations.as("test", store.operations(), store.maintenance());
        try (RabbitMqBroker broker = RabbitMqBroker.start();
                TestQueue queue = TestQueue.declared(broker, Map.of())) {
            queue.bind("orders.#");
            queue.channel().getConnection().abort(); // the queue keeps everything until the end
            AtomicInteger refused = new AtomicInteger();
            Transport transport = counting(RabbitMq.at(broker.uri()).exchange(queue.exchange), refused);
            try (Relay relay = Relay.on(database.dataSource())
                    .deliverTo(Destination.of("mq", transport).probeInterval(Duration.ofMillis(200)))
                    .start()) {
                Outbox outbox = relay.outbox();
                publish(outbox, BEFORE);
                eventually().until(() -> live(operations) < BEFORE); // it is delivering
                broker.kill();
                publish(outbox, DURING);
                // It is tried less and less often, up to every 30 s: those count too that came while the broker was
                // being killed.
                eventually().until(() -> refused.get() > 2);
                assertThat(live(operations)).isGreaterThanOrEqualTo(DURING);
                broker.restart();

                // A quorum queue has no leader yet when its broker answers again.
                eventually().ignoreExceptions().until(() -> {
                    queue.connect();
                    queue.consume();
                    return true;
                });
                eventually().until(() -> live(operations) == 0);
                eventually().until(() -> distinct(queue.received()).size() == published);
            }
            assertThat(operations.stats().dead()).isZero();
            firstDeliveriesAreInOrder(queue.received());
        }
    }

    /** Counts the answers that blame the destination. */
    private static Transport counting(Transport transport, AtomicInteger refused) {
        return new Transport() {
            @Override
            public void send(Delivery delivery, Consumer<Outcome> outcome) {
                transport.send(delivery, result -> {
                    if (result instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.DESTINATION) {
                        refused.incrementAndGet();
                    }
                    outcome.accept(result);
                });
            }

            @Override
            public int capacity() {
                return transport.capacity();
            }

            @Override
            public void close() {
                transport.close();
            }
        };
    }

    private static long live(Operations operations) {
        return operations.list(MessageFilter.ALL, 0, 1).total();
    }

    private static Set<String> distinct(List<Received> received) {
        Set<String> ids = new HashSet<>();
        received.forEach(one -> ids.add(one.event().getId()));
        return ids;
    }

    private static void firstDeliveriesAreInOrder(List<Received> received) {
        Map<String, Integer> last = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (Received one : received) {
            if (seen.add(one.event().getId())) {
                int number = Integer.parseInt(new String(one.event().getData().toBytes(), StandardCharsets.UTF_8));
                Integer before = last.put(one.event().getSubject(), number);
                assertThat(before == null || before < number)
                        .as("%s after %s of %s", number, before, one.event().getSubject())
                        .isTrue();
            }
        }
    }
}
