package dev.postroom.testkit;

import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions about what a destination got. */
public final class TransportAssert extends AbstractAssert<TransportAssert, RecordingTransport> {

    TransportAssert(RecordingTransport actual) {
        super(actual, TransportAssert.class);
    }

    /** At least one message of this topic was delivered. Goes on with those. */
    public MessagesAssert delivered(String topic) {
        return delivered().toTopic(topic);
    }

    /** All deliveries, in order, also none. */
    public MessagesAssert delivered() {
        isNotNull();
        List<ObservedMessage> deliveries =
                actual.deliveries().stream().map(ObservedMessage::of).toList();
        return MessagesAssert.of("delivered", deliveries, info);
    }

    /** So many deliveries, of whatever topic. */
    public TransportAssert deliveredExactly(int count) {
        delivered().times(count);
        return this;
    }

    /** Nothing was delivered. */
    public TransportAssert nothingDelivered() {
        return deliveredExactly(0);
    }

    /** Nothing of this topic was delivered. */
    public TransportAssert nothingDelivered(String topic) {
        delivered().noneTo(topic);
        return this;
    }
}
