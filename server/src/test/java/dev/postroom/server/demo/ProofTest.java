package dev.postroom.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A proof that could not fail would prove nothing. */
class ProofTest {
    private static final Order.Place PLACE = new Order.Place("", "orders.paid", "order-7");
    private static final Proof.Undelivered NONE = new Proof.Undelivered(Set.of(), Set.of());

    private final Receiver billing = Receiver.steady("billing");

    private static Order order(long number, int id) {
        // Ids whose fate at the receiver is to be taken at once.
        return new Order(number, new UUID(0, 500 + id), PLACE, false);
    }

    private void receive(Order... orders) {
        for (Order order : orders) {
            Content content = new Content(null, "text/plain", null, Map.of(), new byte[0], null);
            Stream stream = new Stream("", PLACE.topic(), PLACE.key());
            billing.send(
                    new Delivery(order.message(), 1, stream, content, Instant.EPOCH, 1, Long.MAX_VALUE), outcome -> {});
        }
    }

    private Proof proof(List<Order> orders, Proof.Undelivered undelivered) {
        return Proof.of(orders, List.of(billing), undelivered);
    }

    @Test
    void holds_when_everything_arrived_in_order() {
        receive(order(1, 1), order(2, 2));
        Proof proof = proof(List.of(order(1, 1), order(2, 2)), NONE);
        assertThat(proof.holds()).isTrue();
        assertThat(proof.delivered()).isEqualTo(2);
    }

    @Test
    void fails_when_an_order_is_missing() {
        receive(order(2, 2));
        Proof proof = proof(List.of(order(1, 1), order(2, 2)), NONE);
        assertThat(proof.holds()).isFalse();
        assertThat(proof.lost()).isEqualTo(1);
    }

    @Test
    void fails_when_one_overtook_another() {
        receive(order(2, 2), order(1, 1));
        assertThat(proof(List.of(order(1, 1), order(2, 2)), NONE).reordered()).isEqualTo(1);
    }

    @Test
    void fails_when_one_of_another_topic_overtook_an_earlier_one_of_its_stream() {
        Order placed = order(1, 1);
        Order shipped = new Order(2, order(2, 2).message(), new Order.Place("", "orders.shipped", PLACE.key()), false);
        receive(shipped, placed);
        assertThat(proof(List.of(placed, shipped), NONE).reordered()).isEqualTo(1);
    }

    @Test
    void fails_when_something_arrived_that_was_never_committed() {
        receive(order(1, 1));
        assertThat(proof(List.of(), NONE).holds()).isFalse();
    }

    @Test
    void counts_dead_blocked_and_doubled_ones() {
        receive(order(1, 1), order(1, 1));
        Proof proof = proof(
                List.of(order(1, 1), order(2, 2), order(3, 3)),
                new Proof.Undelivered(
                        Set.of(order(2, 2).message()), Set.of(order(3, 3).message())));
        assertThat(proof.holds()).isTrue();
        assertThat(proof.dead()).isEqualTo(1);
        assertThat(proof.blocked()).isEqualTo(1);
        assertThat(proof.duplicated()).isEqualTo(1);
    }
}
