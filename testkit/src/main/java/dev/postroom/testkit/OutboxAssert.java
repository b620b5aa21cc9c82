package dev.postroom.testkit;

import dev.postroom.operations.MessageStatus;
import dev.postroom.outbox.Outbox;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about what has been committed to an outbox. A message that a relay delivered counts, too, unless that relay
 * keeps nothing ({@code deleteAfterDelivery}).
 */
public final class OutboxAssert extends AbstractAssert<OutboxAssert, Outbox> {

    OutboxAssert(Outbox actual) {
        super(actual, OutboxAssert.class);
    }

    private OutboxContents contents() {
        isNotNull();
        return new OutboxContents(actual);
    }

    private MessagesAssert messages(String what, List<ObservedMessage> messages) {
        return MessagesAssert.of(what, messages, info);
    }

    /** At least one message to this topic was written. Goes on with those. */
    public MessagesAssert published(String topic) {
        return messages("published", contents().all()).toTopic(topic);
    }

    /** All that was written, also nothing. */
    public MessagesAssert published() {
        return messages("published", contents().all());
    }

    /** So many messages were written, to whatever topic. */
    public OutboxAssert publishedExactly(int count) {
        published().times(count);
        return this;
    }

    /** No message was written. */
    public OutboxAssert nothingPublished() {
        return publishedExactly(0);
    }

    /** No message was written to this topic. */
    public OutboxAssert nothingPublished(String topic) {
        messages("published", contents().all()).noneTo(topic);
        return this;
    }

    /** The dead letters, also none. */
    public MessagesAssert deadLetters() {
        return messages("dead letters", contents().of(MessageStatus.DEAD));
    }

    /** What was delivered and is kept in the archive, also nothing. */
    public MessagesAssert archived() {
        return messages("archived", contents().of(MessageStatus.PROCESSED));
    }

    /** What has not been delivered, dead letters included, also nothing. */
    public MessagesAssert remaining() {
        return messages("remaining", contents().of(null));
    }

    /** Everything was delivered, or skipped by an operator: nothing waits and nothing is dead. */
    public OutboxAssert isDrained() {
        remaining().times(0);
        return this;
    }
}
