package dev.postroom.testkit.contract;

import static dev.postroom.testkit.contract.Answers.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Delivery;
import dev.postroom.testkit.contract.DestinationUnderTest.Received;
import io.cloudevents.CloudEventData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * A destination for each test, and short words for what tests do most. Whatever a test did, each message it sent must have
 * been answered exactly once when the transport is closed, and no answer may contain a secret.
 */
@Timeout(120)
abstract class TransportFixture {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

    DestinationUnderTest destination;
    Answers answers;
    private boolean closed;

    /** Opens a destination that no other test uses. */
    protected abstract DestinationUnderTest open() throws Exception;

    @BeforeEach
    void open_the_destination() throws Exception {
        destination = open();
        answers = new Answers(destination.transport());
    }

    @AfterEach
    void each_message_was_answered_exactly_once_when_the_transport_is_closed() {
        if (answers == null) { // the destination did not open
            return;
        }
        try {
            close();
            answers.eachWasGivenExactlyOnce();
            String secret = destination.secret();
            if (secret != null) {
                answers.noneContains(secret);
            }
        } finally {
            destination.close();
        }
    }

    SampleDelivery sample() {
        return SampleDelivery.to(destination.topic());
    }

    /** As many as the transport takes at once, up to this many. */
    List<Delivery> sendMany(int most) {
        int count = Math.min(most, destination.transport().capacity());
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            deliveries.add(answers.send(sample().key("key-" + i % 10).build()));
        }
        return deliveries;
    }

    /** As the relay does it: what failed is sent again, until something gets through. */
    Delivery sendUntilConfirmed() {
        return patiently()
                .until(
                        () -> {
                            // Another message each time, since answers are counted by message.
                            Delivery delivery = answers.send(sample().build());
                            answers.await(delivery);
                            return delivery;
                        },
                        answers::wasConfirmed);
    }

    void close() {
        if (!closed) {
            closed = true;
            long before = System.nanoTime();
            destination.transport().close();
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .as("time that close took")
                    .isLessThan(CLOSE_LIMIT);
        }
    }

    Received arrived(Delivery delivery) {
        allArrived(List.of(delivery));
        return destination.received().stream()
                .filter(received ->
                        received.event().getId().equals(delivery.id().toString()))
                .findFirst()
                .orElseThrow();
    }

    void allArrived(List<Delivery> deliveries) {
        List<String> wanted =
                deliveries.stream().map(delivery -> delivery.id().toString()).toList();
        patiently().untilAsserted(() -> assertThat(ids(destination.received())).containsAll(wanted));
    }

    static List<String> ids(List<Received> received) {
        return received.stream().map(one -> one.event().getId()).toList();
    }

    static byte[] bytes(Received received) {
        CloudEventData data = received.event().getData();
        return data == null ? new byte[0] : data.toBytes();
    }
}
