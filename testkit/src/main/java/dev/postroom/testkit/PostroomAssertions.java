package dev.postroom.testkit;

import dev.postroom.outbox.Outbox;
import org.assertj.core.api.Assertions;

/**
 * AssertJ's assertions, and those about outboxes and deliveries: import {@code assertThat} from here.
 *
 * <pre>{@code
 * assertThat(outbox).published("orders.created").withKey("42").withJson("total", 99).once();
 * assertThat(transport).delivered("orders.created").times(2);
 * assertThat(outbox).deadLetters().withReason(FailureReason.POISON);
 * }</pre>
 */
public final class PostroomAssertions extends Assertions {
    private PostroomAssertions() {}

    /** About what has been committed to the outbox. */
    public static OutboxAssert assertThat(Outbox outbox) {
        return new OutboxAssert(outbox);
    }

    /** About what has been committed to the outbox. */
    public static OutboxAssert assertThat(TestOutbox test) {
        return new OutboxAssert(test.outbox());
    }

    /** About what a destination got. */
    public static TransportAssert assertThat(RecordingTransport transport) {
        return new TransportAssert(transport);
    }
}
