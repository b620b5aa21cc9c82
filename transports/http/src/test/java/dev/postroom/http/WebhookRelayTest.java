package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.http.Receiver.Request;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay that delivers to a web server. */
class WebhookRelayTest {
    private Receiver receiver;
    private Outbox outbox;
    private Operations operations;
    private Relay relay;

    @BeforeEach
    void start() throws Exception {
        receiver = Receiver.start();
        TestDatabase database = H2.freshDatabase();
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        outbox = Outbox.on(database.dataSource());
        operations = Operations.as("tester", store.operations(), store.maintenance());
        Webhook webhook = Webhook.to(receiver.url()).allowPrivateAddresses().timeout(Duration.ofSeconds(5));
        relay = Relay.on(database.dataSource())
                .deliverTo(Destination.of("hook", webhook).probeInterval(Duration.ofMillis(50)))
                .retry(new RetryPolicy(Duration.ZERO, 1, Duration.ZERO, 0, 3))
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50))
                .start();
    }

    @AfterEach
    void stop() {
        relay.close();
        receiver.close();
    }

    private UUID publish(String key, String text) {
        return outbox.publishInOwnTransaction(
                        Message.to("orders.created").key(key).text("text/plain", text))
                .id();
    }

    private MessageDetail find(UUID id) {
        return operations.find(id).orElseThrow();
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20));
    }

    @Test
    @Tag("R22")
    void delivers_each_key_in_order() {
        for (int i = 0; i < 200; i++) {
            publish("k" + i % 4, "" + i);
        }
        eventually().until(() -> receiver.requests().size() == 200);
        for (int key = 0; key < 4; key++) {
            String name = "k" + key;
            List<Integer> order = receiver.requests().stream()
                    .filter(request -> request.header("Ce-subject").equals(name))
                    .map(request -> Integer.valueOf(request.text()))
                    .toList();
            assertThat(order).hasSize(50).isSorted();
        }
    }

    @Test
    @Tag("R26")
    void an_endpoint_that_is_not_available_spends_no_attempt() {
        receiver.answering(503);
        UUID id = publish("1", "a");
        eventually().until(() -> receiver.requests().size() > 4);
        assertThat(find(id).item().attempts()).isZero();
        receiver.answering(204);
        eventually().until(() -> find(id).item().status() == MessageStatus.PROCESSED);
    }

    @Test
    @Tag("R27")
    void what_it_refuses_for_good_is_dead_at_once_and_others_go_on() {
        receiver.answering(request -> Receiver.Reply.of(request.text().equals("bad") ? 410 : 202));
        UUID bad = publish("1", "bad");
        UUID good = publish("2", "good");
        eventually().until(() -> find(bad).item().status() == MessageStatus.DEAD);
        eventually().until(() -> find(good).item().status() == MessageStatus.PROCESSED);
        assertThat(receiver.requests().stream().filter(r -> r.text().equals("bad")))
                .hasSize(1);
        assertThat(find(bad).error()).contains("410");
    }

    @Test
    @Tag("R24")
    void an_error_of_the_endpoint_is_tried_again_until_the_attempts_run_out() {
        receiver.answering(500);
        UUID id = publish("1", "a");
        eventually().until(() -> find(id).item().status() == MessageStatus.DEAD);
        List<Request> requests = receiver.requests();
        assertThat(requests).hasSize(3);
        assertThat(requests).extracting(request -> request.header("Webhook-id")).containsOnly(id.toString());
    }
}
