package dev.postroom.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.ClockedRelay;
import dev.postroom.relay.Relay;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R31")
class SettableClockTest {
    private final SettableClock clock = new SettableClock();
    private final BlockingQueue<String> jumps = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> delivered = new LinkedBlockingQueue<>();

    private final Transport transport = new Transport() {
        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            delivered.add(new String(delivery.payload(), StandardCharsets.UTF_8));
            outcome.accept(Outcome.confirmed());
        }
    };

    private final RelayListener listener = new RelayListener() {
        @Override
        public void lanes(int owned, String why) {
            if (why.contains("clock")) {
                jumps.add(why);
            }
        }
    };

    /** So the fault does reach the relay: one that is not noticed would show nothing. */
    @Test
    void a_relay_notices_that_its_clock_was_set_and_delivers_on() throws Exception {
        TestDatabase database = H2.freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        Relay.Builder builder = Relay.on(database.dataSource())
                .deliverTo(transport)
                .listener(listener)
                .lease(Duration.ofSeconds(3))
                .deleteAfterDelivery();
        try (Relay relay = ClockedRelay.start(builder, clock)) {
            Outbox outbox = relay.outbox();
            expectDelivery(outbox, "by the machine's clock");
            assertThat(jumps).isEmpty();

            clock.set(Duration.ofMinutes(5));
            assertThat(jumps.poll(20, TimeUnit.SECONDS)).isNotNull();
            expectDelivery(outbox, "ahead");

            clock.set(Duration.ofMinutes(-5));
            assertThat(jumps.poll(20, TimeUnit.SECONDS)).isNotNull();
            expectDelivery(outbox, "behind");
        }
    }

    private void expectDelivery(Outbox outbox, String text) throws InterruptedException {
        outbox.inTransaction(
                tx -> tx.publish(Message.to("chaos.orders").key("customer-1").text("text/plain", text)));
        assertThat(delivered.poll(20, TimeUnit.SECONDS)).isEqualTo(text);
    }
}
