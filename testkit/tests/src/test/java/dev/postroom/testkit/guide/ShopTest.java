package dev.postroom.testkit.guide;

import static dev.postroom.testkit.PostroomAssertions.assertThat;
import static dev.postroom.testkit.PostroomAssertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.MessageType;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.Route;
import dev.postroom.relay.ManualRelay;
import dev.postroom.testkit.Fault;
import dev.postroom.testkit.FaultyTransport;
import dev.postroom.testkit.ManualClock;
import dev.postroom.testkit.PostroomExtension;
import dev.postroom.testkit.RecordingTransport;
import dev.postroom.testkit.TestOutbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What docs/testing.md shows; {@link GuideTest} compares. */
@Tag("R59")
// docs: extension
@ExtendWith(PostroomExtension.class)
class ShopTest {
    // docs: end

    @MessageType("order.created")
    record OrderCreated(String id, int total) {}

    record Shop(Outbox outbox) {
        void order(String id, int total) {
            outbox.inTransaction(tx -> tx.publish(Message.to("orders.created")
                    .key(id)
                    .header("channel", "web")
                    .json(new OrderCreated(id, total))));
        }

        void remind(String id) {
            outbox.publishInOwnTransaction(Message.to("orders.reminder").key(id).deliverAfter(Duration.ofDays(3)));
        }
    }

    // docs: extension
    @Test
    void order_is_announced(Outbox outbox, ManualRelay relay, RecordingTransport transport) {
        Shop shop = new Shop(outbox);
        shop.order("42", 99);

        assertThat(outbox)
                .published("orders.created")
                .withKey("42")
                .withType("order.created")
                .withHeader("channel", "web")
                .withJson("total", 99)
                .once();

        relay.drain(); // delivers what is due, on this thread
        assertThat(transport).delivered("orders.created").withPayload(new OrderCreated("42", 99));
        assertThat(outbox).isDrained();
    }
    // docs: end

    // docs: time
    @Test
    void reminder_goes_out_after_three_days(
            Outbox outbox, ManualRelay relay, ManualClock clock, RecordingTransport transport) {
        new Shop(outbox).remind("42");
        clock.advance(Duration.ofDays(3).minusMillis(1));
        relay.drain();
        assertThat(transport).nothingDelivered();

        clock.advance(Duration.ofMillis(1));
        relay.drain();
        assertThat(transport).delivered("orders.reminder").withKey("42").once();
    }
    // docs: end

    // docs: faults
    @Test
    void failed_delivery_is_tried_again(TestOutbox test, FaultyTransport faults) {
        faults.next(2, Fault.failing(FailureReason.DEPENDENCY_FAILURE));
        new Shop(test.outbox()).order("42", 99);

        test.drain();
        assertThat(test).remaining().withAttempts(1).withReason(FailureReason.DEPENDENCY_FAILURE);

        test.clock().advance(Duration.ofMinutes(1)); // no waiting for the retry
        test.drain();
        test.clock().advance(Duration.ofMinutes(1));
        test.drain();
        assertThat(test.transport()).delivered("orders.created").withAttempts(3).once();
    }

    @Test
    void message_that_is_refused_is_a_dead_letter_and_holds_its_key(TestOutbox test) {
        test.faults().when(delivery -> delivery.attempt() == 1, Fault.failing(FailureReason.VALIDATION_FAILURE));
        new Shop(test.outbox()).order("42", 99);
        test.drain();
        assertThat(test)
                .deadLetters()
                .withKey("42")
                .withReason(FailureReason.VALIDATION_FAILURE)
                .once();
    }

    @Test
    void outage_spends_no_attempt(TestOutbox test) {
        test.faults().always(Fault.unavailable());
        new Shop(test.outbox()).order("42", 99);
        test.drain();
        test.clock().advance(Duration.ofDays(1));
        test.drain();
        test.faults().heal();
        test.clock().advance(Duration.ofMinutes(1)); // a destination that is down is tried at least every 30 s
        test.drain();
        assertThat(test.transport()).delivered("orders.created").withAttempts(1).once();
    }

    @Test
    void lost_confirmation_delivers_twice(TestOutbox test) {
        test.faults().next(Fault.losingTheConfirmation());
        new Shop(test.outbox()).order("42", 99);
        test.drain();
        test.clock().advance(Duration.ofMinutes(1));
        test.drain();
        assertThat(test.transport()).delivered("orders.created").times(2); // consumers need an inbox
    }
    // docs: end

    // docs: own
    @Test
    void handlers_and_routes_are_those_of_the_application() {
        List<String> shipped = new ArrayList<>();
        Handlers warehouse = Handlers.create().on(OrderCreated.class, (order, delivery) -> shipped.add(order.id()));
        try (TestOutbox test = TestOutbox.configure()
                .deliverTo("warehouse", warehouse) // called, and recorded
                .deliverTo("broker") // recorded only
                .relay(relay -> relay.route(Route.of("orders.created", "warehouse", "broker"))
                        .route(Route.of("**", "broker")))
                .build()) {
            new Shop(test.outbox()).order("42", 99);
            test.drain();
            assertThat(shipped).containsExactly("42");
            assertThat(test.transport("broker")).delivered("orders.created").once();
        }
    }
    // docs: end

    @Test
    void failure_shows_what_was_there(Outbox outbox) {
        new Shop(outbox).order("42", 99);
        assertThatThrownBy(() -> assertThat(outbox)
                        .published("orders.created")
                        .withKey("42")
                        .withJson("total", 100))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("to 'orders.created', key=42, JSON total=100")
                .hasMessageContaining("key=42 type=order.created status=pending")
                .hasMessageContaining("{\"id\":\"42\",\"total\":99}");
    }
}
